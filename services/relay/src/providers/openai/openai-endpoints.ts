import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { aliImageEdits } from "../ali/ali-image-edits.ts";
import { aliImages } from "../ali/ali-images.ts";
import { aliRerank } from "../ali/ali-rerank.ts";
import { aliSpeech } from "../ali/ali-speech.ts";
import { cloudflareImageEdits } from "../cloudflare/cloudflare-image-edits.ts";
import { cloudflareImages } from "../cloudflare/cloudflare-images.ts";
import { cloudflareSpeech } from "../cloudflare/cloudflare-speech.ts";
import { answerOf, endpointProvider, objectOf } from "../endpoints/endpoint-provider.ts";
import { removeOwnReasoning } from "../../core/chat/encrypted-reasoning.ts";
import { asOpenAiEmbeddings } from "../endpoints/google-embeddings.ts";
import { parseRerank } from "../endpoints/rerank-answer.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import { minimaxSpeech } from "../minimax/minimax-speech.ts";
import { ollamaEmbeddings } from "../ollama/ollama-embeddings.ts";
import type { OpenAiCompatible } from "../registry/openai-compatible.ts";
import { type BodyRule, drop } from "../openai-rules/body-rules.ts";
import { IMAGE_RULES } from "../openai-rules/image-rules.ts";
import { mistralEmbeddingRules } from "../openai-rules/mistral-rules.ts";
import { zhipuSpeechRules } from "../openai-rules/vendor-rules.ts";
import type { EndpointProviders, Endpoint, Provider, Target } from "../contract/provider.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";
import { xaiImageEdits } from "../xai/xai-image-edits.ts";
import { openAiAddress } from "./openai-address.ts";
import { newCompletionsReader, parseCompletion } from "./openai-completions-reader.ts";
import { newImagesReader, parseImages } from "./openai-image-answer.ts";
import { newResponsesReader, parseResponsesAnswer } from "./openai-responses-reader.ts";
import { newSpeechFrames, newSpeechReader } from "./openai-speech.ts";
import { newTranscriptReader, parseTranscript } from "./openai-transcript.ts";
import { readOpenAiUsage } from "./openai-usage.ts";

type Served = Exclude<EndpointFormat, "gemini-embed" | "gemini-batch-embed" | "openai-realtime">;
type Made = Pick<Provider, "parseResponse"> & Partial<Provider>;

/** Relative to the chat path. */
const PATHS = {
  "openai-embeddings": "/embeddings",
  "openai-completions": "/completions",
  "openai-moderations": "/moderations",
  "openai-images": "/images/generations",
  "openai-image-edits": "/images/edits",
  "openai-speech": "/audio/speech",
  "openai-transcriptions": "/audio/transcriptions",
  "openai-translations": "/audio/translations",
  "openai-responses": "/responses",
  rerank: "/rerank",
} as const satisfies Partial<Record<Served, string>>;

type Name = keyof typeof PATHS;

const EVERY = Object.keys(PATHS) as Name[];
const EMBEDDINGS: readonly Name[] = ["openai-embeddings"];

/** The non-chat endpoints of each OpenAI-compatible channel type; types that are not listed have none. */
const SERVED_BY_TYPE: Readonly<Record<number, readonly Name[]>> = {
  1: EVERY,
  3: EVERY.filter((name) => name !== "openai-moderations" && name !== "rerank"),
  4: ["openai-completions"],
  // Most upstreams with a custom URL support only chat; responses are served through chat.
  8: EVERY.filter((name) => name !== "openai-responses"),
  17: EMBEDDINGS,
  19: EMBEDDINGS,
  20: ["openai-embeddings", "openai-completions"],
  26: ["openai-embeddings", "openai-images", "openai-speech", "openai-transcriptions", "rerank"],
  39: EMBEDDINGS,
  40: ["openai-embeddings", "openai-completions", "openai-images", "openai-speech", "openai-transcriptions", "rerank"],
  42: ["openai-embeddings", "openai-moderations", "openai-transcriptions"],
  43: ["openai-completions"],
  45: ["openai-embeddings", "openai-images", "openai-responses"],
  46: ["openai-embeddings", "openai-images", "rerank"],
  47: ["openai-embeddings", "openai-completions", "openai-images", "openai-speech", "openai-transcriptions", "rerank"],
  48: ["openai-completions", "openai-images", "openai-responses"],
  49: EMBEDDINGS,
};

/** These refuse `encoding_format`, or accept only floats. */
const FLOATS_ONLY: ReadonlySet<number> = new Set([17, 19, 26, 39, 46]);
const ZHIPU = 26;
const MISTRAL = 42;
const DEEPSEEK = 43;
const BAIDU = 46;

/** A few have an endpoint at another path. */
function pathOf(like: OpenAiCompatible, name: Name): string {
  if (like.type === DEEPSEEK && name === "openai-completions") return "/beta/completions";
  return like.type === BAIDU && name === "rerank" ? "/rerankers" : PATHS[name];
}

/** Azure's responses name the deployment in the body. */
const AZURE_RESPONSES = /\/openai\/deployments\/[^/]+\/responses(?=\?)/;

/** The URL next to the chat path of the same channel. */
function addressOf(like: OpenAiCompatible, path: string): (target: Target) => Endpoint {
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

function listAnswer(value: unknown) {
  const body = objectOf(value);
  if (!Array.isArray(body["data"])) throw unreadableResponse();
  return answerOf(promptUsage(body["usage"]));
}

const dropEncoding = drop("encoding_format");

/** Provider-specific changes to embeddings. */
const embeddingRules = ({ type }: OpenAiCompatible): BodyRule | undefined =>
  type === MISTRAL ? mistralEmbeddingRules : FLOATS_ONLY.has(type) ? dropEncoding : undefined;

function embeddings(like: OpenAiCompatible): Made {
  const rules = embeddingRules(like);
  return { parseResponse: listAnswer, ...(rules ? { adaptBody: rules } : {}) };
}

/** Google callers use the same embeddings; the dialect writes the response in Google's format. */
function googleEmbeddings(like: OpenAiCompatible): EndpointProviders {
  const rules = embeddingRules(like);
  const given = {
    address: addressOf(like, PATHS["openai-embeddings"]),
    parseResponse: listAnswer,
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
  supportsStreamUsage: like.supportsStreamUsage,
});

function moderations(): Made {
  return {
    parseResponse(value) {
      const body = objectOf(value);
      if (!Array.isArray(body["results"])) throw unreadableResponse();
      return answerOf(promptUsage(body["usage"]));
    },
  };
}

const TRANSCRIPT: Made = { parseResponse: parseTranscript, newStreamReader: newTranscriptReader, returnsText: true };

const MAKERS: Readonly<Record<Name, (like: OpenAiCompatible) => Made>> = {
  "openai-embeddings": embeddings,
  "openai-completions": completions,
  "openai-moderations": moderations,
  "openai-images": (like) => ({
    parseResponse: parseImages,
    newStreamReader: newImagesReader,
    ...IMAGE_RULES[like.type],
  }),
  "openai-image-edits": () => ({ parseResponse: parseImages, newStreamReader: newImagesReader }),
  "openai-transcriptions": () => TRANSCRIPT,
  "openai-translations": () => TRANSCRIPT,
  "openai-speech": ({ type }) => ({
    ...(type === ZHIPU ? { adaptBody: zhipuSpeechRules } : {}),
    // Audio is never JSON: a JSON response is an error.
    parseResponse(value) {
      objectOf(value);
      throw unreadableResponse();
    },
    newFrameSplitter: newSpeechFrames,
    newStreamReader: newSpeechReader,
  }),
  "openai-responses": () => ({
    adaptBody: removeOwnReasoning,
    parseResponse: parseResponsesAnswer,
    newStreamReader: newResponsesReader,
  }),
  rerank: () => ({ parseResponse: parseRerank }),
};

/** Endpoints for OpenAI callers with another format upstream. */
const OWN_BY_TYPE: Readonly<Record<number, (like: OpenAiCompatible) => EndpointProviders>> = {
  4: ollamaEmbeddings,
  17: (like) => ({
    "openai-images": aliImages(like),
    "openai-image-edits": aliImageEdits(like),
    "openai-speech": aliSpeech(like),
    rerank: aliRerank(like),
  }),
  35: (like) => ({ "openai-speech": minimaxSpeech(like) }),
  39: (like) => ({
    "openai-images": cloudflareImages(like),
    "openai-image-edits": cloudflareImageEdits(like),
    "openai-transcriptions": cloudflareSpeech(like, "openai-transcriptions"),
    "openai-translations": cloudflareSpeech(like, "openai-translations"),
  }),
  48: (like) => ({ "openai-image-edits": xaiImageEdits(like) }),
};

/** The non-chat endpoints of an OpenAI-compatible provider. */
export function openAiEndpoints(like: OpenAiCompatible): EndpointProviders {
  const served = SERVED_BY_TYPE[like.type] ?? [];
  const errors = like.parseError ? { parseError: like.parseError } : {};
  const made = served.map((name): [EndpointFormat, Provider] => [
    name,
    endpointProvider(name, { address: addressOf(like, pathOf(like, name)), ...errors, ...MAKERS[name](like) }),
  ]);
  return {
    ...Object.fromEntries(made),
    ...(served.includes("openai-embeddings") ? googleEmbeddings(like) : {}),
    ...OWN_BY_TYPE[like.type]?.(like),
  };
}
