import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ChatResponse, Json } from "../../core/chat/chat.ts";
import { asNumber, asObject, asObjects, compact, parseJson } from "../../core/chat/json.ts";
import { embeddingList, textsOf } from "../endpoints/embedding-list.ts";
import { answerOf, endpointProvider } from "../endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { parseUsage } from "../openai/openai-usage-answer.ts";
import type { EndpointProviders, FinishedAnswer, Place, SentAnswer, Target } from "../contract/provider.ts";
import { geminiErrorInside, parseGeminiError } from "./gemini-failure.ts";

/** Newer models tell what they read; older ones say nothing. */
function parseEmbeddings(value: unknown): ChatResponse {
  const body = asObject(value);
  if (body?.["error"]) throw geminiErrorInside(body);
  if (!body || (body["embedding"] === undefined && !Array.isArray(body["embeddings"]))) throw unreadableResponse();
  const promptTokens = asNumber(asObject(body["usageMetadata"])?.["promptTokenCount"]) ?? 0;
  return answerOf(promptTokens > 0 ? { ...NO_USAGE, promptTokens } : undefined);
}

/** The model is named inside the body too, where it must agree with the address. */
function nameModel(body: Json, { model }: Target): Json {
  const name = `models/${model}`;
  const renamed = (call: Json): Json =>
    call["model"] === undefined || call["model"] === name ? call : { ...call, model: name };
  const { requests } = body;
  if (!Array.isArray(requests)) return renamed(body);
  const calls = requests.map((request: unknown) => renamed(asObject(request) ?? {}));
  return calls.every((call, index) => call === requests[index]) ? body : { ...body, requests: calls };
}

/** OpenAI's call in Google's form: one text, or a batch of several. Throws invalid_request for tokens. */
function fromOpenAi({ input, dimensions }: Json, { model }: Target): Json {
  const [first, ...others] = textsOf(input).map((text) =>
    compact({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality: asNumber(dimensions) }),
  );
  return first && others.length === 0 ? first : { requests: [first, ...others] };
}

const hasSeveral = (input: unknown): boolean => Array.isArray(input) && input.length > 1;

/** The vectors of an answer as OpenAI lists them. Throws StreamFailure where there are none. */
function asOpenAiList({ body }: SentAnswer, { target }: { readonly target: Target }): FinishedAnswer {
  const answer = asObject(parseJson(body.toString("utf8"))) ?? {};
  const { usage } = parseEmbeddings(answer);
  const vectors = asObjects(answer["embeddings"] ?? [answer["embedding"]]);
  return embeddingList(
    target.model,
    vectors.map(({ values }, index) => ({ index, embedding: values })),
    usage?.promptTokens ?? 0,
  );
}

/** Embeddings of an AI Studio account, for Google's callers and for OpenAI's (ai.google.dev/api/embeddings). */
export function geminiEmbeddings(call: (target: Target, call: string) => Place): EndpointProviders {
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
