import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, parseJson } from "../../core/chat/json.ts";
import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import { invalidField } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { getModel, promptOnlyFields, requireContent } from "./endpoint-fields.ts";

const LISTED_FLOATS = /"embedding"\s*:\s*\[/;

function checkInput(input: unknown): void {
  requireContent(input, "input");
  if (typeof input === "string") return;
  if (!Array.isArray(input)) throw invalidField("input", "must be a string or an array");
  input.forEach((item: unknown, index) => {
    if (typeof item === "number") return;
    // Some providers accept objects with images.
    if (typeof item !== "object") requireContent(item, `input[${index}]`);
    else if (Array.isArray(item)) requireContent(item, `input[${index}]`);
  });
}

/** Encodes floats like OpenAI: 32-bit little-endian, in base64. */
function pack(floats: readonly unknown[]): string {
  const bytes = Buffer.allocUnsafe(floats.length * 4);
  floats.forEach((value, index) => bytes.writeFloatLE(Number(value), index * 4));
  return bytes.toString("base64");
}

/** OpenAI's clients request base64 by default and then cannot read lists; many providers return only lists. */
function packResponse(body: Json, response: Buffer): Buffer {
  if (body["encoding_format"] !== "base64") return response;
  const text = response.toString("utf8");
  if (!LISTED_FLOATS.test(text)) return response;
  const parsed = asObject(parseJson(text));
  const data = asList(parsed?.["data"]).map((item) => {
    const entry = asObject(item);
    return Array.isArray(entry?.["embedding"]) ? { ...entry, embedding: pack(entry["embedding"] as unknown[]) } : item;
  });
  return Buffer.from(JSON.stringify({ ...parsed, data }));
}

/** Some providers report no usage; OpenAI's format requires it, so the charged usage is sent. */
function withUsage(response: Buffer, { promptTokens }: TokenUsage): Buffer {
  if (response.lastIndexOf('"usage"') >= 0) return response;
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return Buffer.from(JSON.stringify({ ...asObject(parseJson(response.toString("utf8"))), usage }));
}

/** OpenAI's embeddings, with the model in the body or in the URL of the old engines API. */
export const openAiEmbeddings = passThroughDialect("openai-embeddings", {
  readFields(body, path) {
    const model = getModel(body, path);
    checkInput(body["input"]);
    const format = body["encoding_format"];
    if (format !== undefined && format !== null && format !== "float" && format !== "base64") {
      throw invalidField("encoding_format", "must be float or base64");
    }
    return promptOnlyFields(model);
  },
  prompt: (body) => collectFieldText(body, ["input"]),
  promptOnly: true,
  rewriteResponse: (body, response, { usage }) => packResponse(body, withUsage(response, usage)),
});
