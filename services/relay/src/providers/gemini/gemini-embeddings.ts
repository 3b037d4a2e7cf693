import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ChatResponse, Json } from "../../chat/chat.ts";
import { asNumber, asObject } from "../../chat/json.ts";
import { answerOf, endpointProvider, objectOf } from "../endpoints/endpoint-provider.ts";
import { unreadableResponse } from "../failure.ts";
import { readOpenAiUsage } from "../openai/openai-usage.ts";
import type { EndpointProviders, Place, Target } from "../provider.ts";
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

type Places = {
  readonly call: (target: Target, call: string) => Place;
  /** Google's surface for OpenAI's clients. */
  readonly openAi: (target: Target, path: string) => Place;
};

/** Embeddings of an AI Studio account, in Google's form and in OpenAI's. */
export function geminiEmbeddings(places: Places): EndpointProviders {
  const own = { parseResponse: parseEmbeddings, parseError: parseGeminiError, adaptBody: nameModel };
  return {
    "gemini-embed": endpointProvider("gemini-embed", {
      ...own,
      address: (target) => places.call(target, "embedContent"),
    }),
    "gemini-batch-embed": endpointProvider("gemini-batch-embed", {
      ...own,
      address: (target) => places.call(target, "batchEmbedContents"),
    }),
    "openai-embeddings": endpointProvider("openai-embeddings", {
      address: (target) => places.openAi(target, "embeddings"),
      parseResponse(value) {
        const body = objectOf(value);
        if (!Array.isArray(body["data"])) throw unreadableResponse();
        return answerOf(readOpenAiUsage(body["usage"]));
      },
      parseError: parseGeminiError,
    }),
  };
}
