import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ChatResponse, Json } from "../../core/chat/chat.ts";
import { asNumber, asObject, asObjects, compact, parseJson } from "../../core/chat/json.ts";
import { embeddingList, getTexts } from "../shared/endpoints/embedding-list.ts";
import { toResponse, endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../formats/openai/response/openai-usage.ts";
import type { EndpointProviders, ProcessedResponse, Endpoint, ProviderResponse } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { geminiErrorInside, parseGeminiError } from "../formats/gemini/gemini-failure.ts";

/** Newer models report the tokens read; older ones report nothing. */
function parseEmbeddings(value: unknown): ChatResponse {
  const body = asObject(value);
  if (body?.["error"]) throw geminiErrorInside(body);
  if (!body || (body["embedding"] === undefined && !Array.isArray(body["embeddings"]))) throw unreadableResponse();
  const promptTokens = asNumber(asObject(body["usageMetadata"])?.["promptTokenCount"]) ?? 0;
  return toResponse(promptTokens > 0 ? { ...NO_USAGE, promptTokens } : undefined);
}

/** The model is named in the body too, where it must match the URL. */
function nameModel(body: Json, { model }: Target): Json {
  const name = `models/${model}`;
  const renamed = (call: Json): Json =>
    call["model"] === undefined || call["model"] === name ? call : { ...call, model: name };
  const { requests } = body;
  if (!Array.isArray(requests)) return renamed(body);
  const calls = requests.map((request: unknown) => renamed(asObject(request) ?? {}));
  return calls.every((call, index) => call === requests[index]) ? body : { ...body, requests: calls };
}

/** Converts OpenAI's call to Google's format: one text, or a batch of several. Throws invalid_request for tokens. */
function fromOpenAi({ input, dimensions }: Json, { model }: Target): Json {
  const [first, ...others] = getTexts(input).map((text) =>
    compact({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality: asNumber(dimensions) }),
  );
  return first && others.length === 0 ? first : { requests: [first, ...others] };
}

const hasSeveral = (input: unknown): boolean => Array.isArray(input) && input.length > 1;

/** The vectors of a response as OpenAI's list. Throws StreamFailure if there are none. */
function asOpenAiList({ body }: ProviderResponse, { target }: { readonly target: Target }): ProcessedResponse {
  const response = asObject(parseJson(body.toString("utf8"))) ?? {};
  const { usage } = parseEmbeddings(response);
  const vectors = asObjects(response["embeddings"] ?? [response["embedding"]]);
  return embeddingList(
    target.model,
    vectors.map(({ values }, index) => ({ index, embedding: values })),
    usage?.promptTokens ?? 0,
  );
}

/** Embeddings of an AI Studio account, for Google and OpenAI callers (ai.google.dev/api/embeddings). */
export function geminiEmbeddings(call: (target: Target, call: string) => Endpoint): EndpointProviders {
  const own = { parseResponse: parseEmbeddings, parseError: parseGeminiError, adaptBody: nameModel };
  return {
    "gemini-embed": endpointProvider("gemini-embed", { ...own, address: (target) => call(target, "embedContent") }),
    "gemini-batch-embed": endpointProvider("gemini-batch-embed", {
      ...own,
      address: (target) => call(target, "batchEmbedContents"),
    }),
    "openai-embeddings": endpointProvider("openai-embeddings", {
      address: (target, _stream, body) =>
        call(target, hasSeveral(body?.["input"]) ? "batchEmbedContents" : "embedContent"),
      adaptBody: fromOpenAi,
      finish: asOpenAiList,
      parseResponse: parseUsage,
      parseError: parseGeminiError,
    }),
  };
}
