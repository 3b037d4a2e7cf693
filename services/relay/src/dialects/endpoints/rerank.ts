import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asList, asNumber, asObject } from "../../core/chat/json.ts";
import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import type { ChargedFor } from "../../core/call/dialect.ts";
import { requireList } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { getModel, promptOnlyFields, requireContent } from "./endpoint-fields.ts";

const toDocument = (value: unknown): unknown => (typeof value === "string" ? { text: value } : value);

/** A result with its document if the caller requested documents, and without an empty document field otherwise. */
function withDocument(value: unknown, requested: readonly unknown[] | undefined): unknown {
  const result = asObject(value) ?? {};
  const { document, ...scored } = result;
  if (document !== undefined && document !== null) return value;
  const own = requested?.[asNumber(scored["index"]) ?? -1];
  return own === undefined ? scored : { ...scored, document: toDocument(own) };
}

/**
 * Completes a response to Jina's format (api.jina.ai/redoc: rerank): Cohere, SiliconFlow and Xinference report usage
 * only in `meta`, Cohere returns no documents, Xinference an empty one. All other fields stay.
 */
function complete(body: Json, sent: Buffer, { model, usage }: ChargedFor): Buffer {
  const response = asObject(parseExactJson(sent.toString("utf8")));
  const documents = body["return_documents"] === true ? asList(body["documents"]) : undefined;
  const results = asList(response?.["results"]);
  const isBare = results.some((one) => {
    const document = asObject(one)?.["document"];
    return document === null || (documents !== undefined && document === undefined);
  });
  if (asObject(response?.["usage"]) && !isBare) return sent;
  const counts = { prompt_tokens: usage.promptTokens, total_tokens: usage.promptTokens };
  const completed = results.map((one) => withDocument(one, documents));
  return Buffer.from(JSON.stringify({ model, usage: counts, ...response, results: completed }));
}

/** Jina's and Cohere's rerank, which differ only in their usage. */
export const rerank = passThroughDialect("rerank", {
  readFields(body) {
    const model = getModel(body, undefined);
    requireContent(body["query"], "query");
    requireContent(body["documents"], "documents");
    requireList(body["documents"], "documents");
    return promptOnlyFields(model);
  },
  prompt: (body) => collectFieldText(body, ["query", "documents"]),
  promptOnly: true,
  rewriteResponse: complete,
});
