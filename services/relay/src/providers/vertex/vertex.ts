import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { parseAnthropicResponse } from "../formats/anthropic/anthropic-response.ts";
import { newAnthropicStreamReader } from "../formats/anthropic/anthropic-stream-reader.ts";
import { parseAnthropicError } from "../formats/anthropic/anthropic-failure.ts";
import { refuseThread } from "../../core/vendors/anthropic-thread.ts";
import { adaptAnthropicBody } from "../formats/anthropic/anthropic-adapt.ts";
import { modelHeaders } from "../formats/anthropic/anthropic-headers.ts";
import { buildAnthropicBody } from "../formats/anthropic/anthropic-request.ts";
import { splitThinking as splitClaude } from "../formats/anthropic/claude-thinking.ts";
import { type HostedBetas, hostedBetas, hostedBody } from "../formats/anthropic/hosted-claude.ts";
import { parseGeminiError } from "../formats/gemini/gemini-failure.ts";
import { parseGeminiResponse } from "../formats/gemini/gemini-response.ts";
import { newGeminiStreamReader } from "../formats/gemini/gemini-stream-reader.ts";
import { geminiImages } from "../formats/gemini/gemini-images.ts";
import { buildGeminiBody } from "../formats/gemini/gemini-request.ts";
import { adaptGeminiBody, splitThinking as splitGemini } from "../formats/gemini/gemini-thinking.ts";
import { openAiCompatible } from "../formats/openai/openai-compatible-provider.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { exchangeServiceAccount, readServiceAccount } from "./service-account.ts";
import { vertexEmbeddings } from "./vertex-embeddings.ts";
import { forVertex } from "./vertex-contents.ts";
import { getHost, getRegion, vertexHeaders, vertexUrl } from "./vertex-address.ts";

const CLAUDE_BODY_VERSION = "vertex-2023-10-16";
const DATED = /^(claude-.+)-(\d{8})$/;
/** Its second version has the number in its name. */
const RENAMED: Readonly<Record<string, string>> = {
  "claude-3-5-sonnet-20241022": "claude-3-5-sonnet-v2@20241022",
};

/**
 * Vertex names unsupported betas ("Unexpected value(s) … for the `anthropic-beta` header"); these are the remaining
 * ones of Anthropic's list.
 */
const BETAS: HostedBetas = {
  known: new Set([
    "compact",
    "computer-use",
    "context-1m",
    "context-management",
    "dangerous-tool-use",
    "interleaved-thinking",
    "per-turn-control",
    "thinking-binding-controls",
    "thinking-display-updates",
    "tool-search-tool",
    "web-search",
  ]),
  renamed: { "advanced-tool-use-2025-11-20": "tool-search-tool-2025-10-19" },
};

const claudeId = (model: string): string => RENAMED[model] ?? model.replace(DATED, "$1@$2");

function googlePlace(target: Target, model: string, call: string): Endpoint {
  const path = `publishers/google/models/${encodeURIComponent(model)}:${call}`;
  return { url: vertexUrl(target, model, "v1", path), headers: vertexHeaders(target) };
}

function geminiAddress(target: Target, stream: boolean): Endpoint {
  const { model } = splitGemini(target.model, target.settings);
  return googlePlace(target, model, stream ? "streamGenerateContent?alt=sse" : "generateContent");
}

function claudeAddress(target: Target, stream: boolean): Endpoint {
  const { model } = splitClaude(target.model, target.settings);
  const call = stream ? "streamRawPredict?alt=sse" : "rawPredict";
  const path = `publishers/anthropic/models/${claudeId(model)}:${call}`;
  const betas = hostedBetas(target, BETAS);
  return {
    url: vertexUrl(target, model, "v1", path),
    headers: {
      ...vertexHeaders(target),
      ...modelHeaders(target),
      ...(betas.length === 0 ? {} : { "anthropic-beta": betas.join(",") }),
    },
  };
}

/** The model is in the URL, the version of the format in the body. */
function toVertexClaude({ model: _model, ...rest }: Json): Json {
  return { anthropic_version: CLAUDE_BODY_VERSION, ...hostedBody(rest) };
}

/** Google's errors have a `status` string; errors from Claude itself are in Anthropic's format. */
const parseError: Provider["parseError"] = (status, body) => {
  const isAnthropic = asText(asObject(asObject(body)?.["error"])?.["type"]) !== undefined;
  return isAnthropic ? parseAnthropicError(status, body) : parseGeminiError(status, body);
};

const vertexGemini: Provider = {
  name: "vertex",
  wireFormat: "gemini",
  buildRequest: (request, target) => ({
    ...geminiAddress(target, request.stream),
    json: forVertex(buildGeminiBody(request, target)),
  }),
  address: geminiAddress,
  adaptBody: (body, target) => forVertex(adaptGeminiBody(body, target)),
  requests: { requiresInlineImages: true, keepsInstructions: true },
  parseResponse: parseGeminiResponse,
  newStreamReader: newGeminiStreamReader,
  endpoints: {
    "openai-images": geminiImages((target, call) => googlePlace(target, target.model, call)),
    "openai-embeddings": vertexEmbeddings((target) => googlePlace(target, target.model, "predict"), parseError),
  },
  parseError,
};

const vertexClaude: Provider = {
  ...vertexGemini,
  endpoints: {},
  requests: { requiresInlineImages: true, keepsInstructions: true },
  wireFormat: "anthropic-messages",
  buildRequest: (request, target) => ({
    ...claudeAddress(target, request.stream),
    json: toVertexClaude(buildAnthropicBody(request, target)),
  }),
  address: claudeAddress,
  adaptBody(body, target) {
    refuseThread(body);
    return toVertexClaude(adaptAnthropicBody(body, target));
  },
  parseResponse: parseAnthropicResponse,
  newStreamReader: newAnthropicStreamReader,
};

const LLAMA: OpenAiCompatible = {
  type: 41,
  name: "vertex",
  baseUrl: "",
  chatPath: (target) => vertexUrl(target, target.model, "v1beta1", "endpoints/openapi/chat/completions"),
  modelsPath: undefined,
  isWholeUrl: false,
  supportsStreamUsage: true,
  headers: vertexHeaders,
  parseError,
};

const vertexLlama: Provider = openAiCompatible(LLAMA);

/** The Vertex format, one of three, that serves a model. */
function forModel(model: string): Provider {
  if (model.startsWith("claude")) return vertexClaude;
  if (/^(gemini|imagen|text-embedding-\d|text-multilingual-embedding)/.test(model)) return vertexGemini;
  if (model.includes("llama")) return vertexLlama;
  throw new RelayError("no_available_channel", `the model ${model} cannot be served through Vertex AI`);
}

function modelList(target: Target): Endpoint {
  const { projectId } = readServiceAccount(target.key);
  return {
    url: `${getHost(target, getRegion(target, ""))}/v1beta1/publishers/google/models?pageSize=1000`,
    headers: { ...vertexHeaders(target), "x-goog-user-project": projectId },
  };
}

/** Google's Vertex AI: Gemini, Claude and Llama behind one service account. */
export const vertex: Provider = {
  ...vertexGemini,
  forModel,
  auth: { tokenExchange: exchangeServiceAccount },
  account: {
    modelList,
    parseModelList: (body) =>
      asList(asObject(body)?.["publisherModels"]).flatMap(
        (model) => asText(asObject(model)?.["name"])?.replace(/^publishers\/google\/models\//, "") ?? [],
      ),
  },
};
