import type { Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { toResponse, endpointProvider, parseObject } from "../../shared/endpoints/endpoint-provider.ts";
import { removeOwnReasoning } from "../../../core/chat/encrypted-reasoning.ts";
import { asOpenAiEmbeddings } from "../../shared/endpoints/google-embeddings.ts";
import { parseRerank } from "../../shared/endpoints/rerank-response.ts";
import { unreadableResponse } from "../../shared/upstream-failure.ts";
import { OPENAI_ENDPOINT_PATHS, type OpenAiCompatible, type OpenAiEndpoint } from "./openai-compatible.ts";
import type { EndpointProviders, Endpoint, Provider } from "../../contract/provider.ts";
import type { Target } from "../../contract/target.ts";
import { openAiAddress } from "./openai-address.ts";
import { newCompletionsReader, parseCompletion } from "./response/openai-completions-reader.ts";
import { newImagesReader, parseImages } from "./response/openai-image-response.ts";
import { newResponsesReader, parseResponsesResponse, readResponseUsage } from "./response/openai-responses-reader.ts";
import { newSpeechFrames, newSpeechReader } from "./openai-speech.ts";
import { newTranscriptReader, parseTranscript } from "./response/openai-transcript.ts";
import { readOpenAiUsage } from "./response/openai-usage.ts";

type Made = Pick<Provider, "parseResponse"> & Partial<Provider>;

/** Azure's responses name the deployment in the body. */
const AZURE_RESPONSES = /\/openai\/deployments\/[^/]+\/responses(?=[/?])/;

/** The URL next to the chat path of the same channel. */
function getAddress(like: OpenAiCompatible, path: string): (target: Target) => Endpoint {
  return (target) => {
    const { url, headers } = openAiAddress(like, target);
    // DeepSeek's beta replaces the version.
    const chat = path.startsWith("/beta/") ? /(?:\/v1)?\/chat\/completions/ : "/chat/completions";
    return { url: url.replace(chat, path).replace(AZURE_RESPONSES, "/openai/responses"), headers };
  };
}

/** For responses without completion tokens: if only the total is reported, it is the prompt's. */
function promptUsage(value: unknown): ReportedUsage {
  const usage = readOpenAiUsage(value);
  return usage && { ...usage, promptTokens: usage.promptTokens || usage.completionTokens, completionTokens: 0 };
}

function listResponse(value: unknown) {
  const body = parseObject(value);
  if (!Array.isArray(body["data"])) throw unreadableResponse();
  return toResponse(promptUsage(body["usage"]), "", body);
}

/** Google callers use the same embeddings; the dialect writes the response in Google's format. */
function googleEmbeddings(like: OpenAiCompatible): EndpointProviders {
  const rules = like.endpointDifferences?.["openai-embeddings"]?.adaptBody;
  const given = {
    address: getAddress(like, OPENAI_ENDPOINT_PATHS["openai-embeddings"]),
    parseResponse: listResponse,
    ...(like.parseError ? { parseError: like.parseError } : {}),
    adaptBody(body: Json, target: Target): Json {
      const written = asOpenAiEmbeddings(body, target.model);
      return rules ? rules(written, target) : written;
    },
  };
  return {
    "gemini-embed": endpointProvider("gemini-embed", given),
    "gemini-batch-embed": endpointProvider("gemini-batch-embed", given),
  };
}

const completions = (like: OpenAiCompatible): Made => ({
  parseResponse: parseCompletion,
  newStreamReader: newCompletionsReader,
  streaming: { supportsStreamUsage: like.supportsStreamUsage },
});

function moderations(): Made {
  return {
    parseResponse(value) {
      const body = parseObject(value);
      if (!Array.isArray(body["results"])) throw unreadableResponse();
      return toResponse(promptUsage(body["usage"]), "", body);
    },
  };
}

const TRANSCRIPT: Made = {
  parseResponse: parseTranscript,
  newStreamReader: newTranscriptReader,
  responses: { returnsText: true },
};

const MAKERS: Readonly<Record<OpenAiEndpoint, (like: OpenAiCompatible) => Made>> = {
  "openai-embeddings": () => ({ parseResponse: listResponse }),
  "openai-completions": completions,
  "openai-moderations": moderations,
  "openai-images": () => ({ parseResponse: parseImages, newStreamReader: newImagesReader }),
  "openai-image-edits": () => ({ parseResponse: parseImages, newStreamReader: newImagesReader }),
  "openai-transcriptions": () => TRANSCRIPT,
  "openai-translations": () => TRANSCRIPT,
  "openai-speech": () => ({
    // Audio is never JSON: a JSON response is an error.
    parseResponse(value) {
      parseObject(value);
      throw unreadableResponse();
    },
    streaming: { newFrameSplitter: newSpeechFrames },
    newStreamReader: newSpeechReader,
  }),
  "openai-responses": () => ({
    adaptBody: removeOwnReasoning,
    parseResponse: parseResponsesResponse,
    newStreamReader: newResponsesReader,
  }),
  "openai-compact": () => ({
    adaptBody: removeOwnReasoning,
    parseResponse(value) {
      const body = parseObject(value);
      if (!Array.isArray(body["output"])) throw unreadableResponse();
      return toResponse(readResponseUsage(body), "", body);
    },
  }),
  rerank: () => ({ parseResponse: parseRerank }),
};

/** One endpoint of a provider, with the provider's differences. */
function toEndpointProvider(row: OpenAiCompatible, name: OpenAiEndpoint): Provider {
  const { path = OPENAI_ENDPOINT_PATHS[name], ...differences } = row.endpointDifferences?.[name] ?? {};
  const errors = row.parseError ? { parseError: row.parseError } : {};
  return endpointProvider(name, { address: getAddress(row, path), ...errors, ...MAKERS[name](row), ...differences });
}

/** The non-chat endpoints of an OpenAI-compatible provider. */
export function openAiEndpoints(row: OpenAiCompatible): EndpointProviders {
  const served = row.endpoints ?? [];
  return {
    ...Object.fromEntries(served.map((name) => [name, toEndpointProvider(row, name)])),
    ...(served.includes("openai-embeddings") ? googleEmbeddings(row) : {}),
    ...row.ownEndpoints?.(row),
  };
}
