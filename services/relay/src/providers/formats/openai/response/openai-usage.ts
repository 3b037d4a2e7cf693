import { type TokenUsage, withParts } from "@turnpike/contract/pricing/usage";
import type { ChatResponse, FinishReason, Json, ReportedUsage } from "../../../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, asObjects, asText } from "../../../../core/chat/json.ts";
import { withReportedCost } from "../../../../core/vendors/upstream-cost.ts";
import type { StreamFailure } from "../../../../core/wire/stream.ts";
import { toResponse, parseObject } from "../../../shared/endpoints/endpoint-provider.ts";

/** How the responses of some providers with this format differ; configured by the rows of openai-compatible.ts. */
export type OpenAiQuirks = {
  readonly endsAtFinish?: boolean;
  /** `[DONE]` is guaranteed: a stream without it was cut, even after its usage. */
  readonly alwaysSendsDone?: boolean;
  readonly readUsage?: (usage: unknown) => ReportedUsage;
  readonly failureInside?: (body: Json) => StreamFailure | undefined;
};

/** The details of a usage: the cache writes with the long lifetime, audio and images. */
export function withDetails(usage: TokenUsage, prompt: Json | undefined, completion: Json | undefined): TokenUsage {
  const cacheWriteLongTokens = asCount(asObject(prompt?.["cache_write_tokens_details"])?.["ttl_12h_tokens"]);
  return withMedia(withParts(usage, { cacheWriteLongTokens }), prompt, completion);
}

/** Audio and image tokens within the totals, the cached ones as parts of the cached tokens. */
function withMedia(usage: TokenUsage, prompt: Json | undefined, completion: Json | undefined): TokenUsage {
  const audioIn = asCount(prompt?.["audio_tokens"]);
  const imageIn = asCount(prompt?.["image_tokens"]);
  const audioOut = asCount(completion?.["audio_tokens"]);
  const imageOut = asCount(completion?.["image_tokens"]);
  if (audioIn + imageIn + audioOut + imageOut === 0) return usage;
  const cached = asObject(prompt?.["cached_tokens_details"]);
  const audioCacheReadTokens = asCount(cached?.["audio_tokens"]);
  const imageCacheReadTokens = asCount(cached?.["image_tokens"]);
  return withParts(usage, {
    audioPromptTokens: audioIn - audioCacheReadTokens,
    imagePromptTokens: imageIn - imageCacheReadTokens,
    audioCacheReadTokens,
    imageCacheReadTokens,
    audioCompletionTokens: audioOut,
    imageCompletionTokens: imageOut,
  });
}

/**
 * Usage in OpenAI's format; undefined if there is no usage object. DeepSeek and Moonshot have other names for the
 * cached tokens (`prompt_cache_hit_tokens`, `cached_tokens` at the top level), OpenRouter and Ali report the tokens
 * written to the cache under two names (Model Studio, "Context cache", explicit: 125 % of the input price, for five
 * minutes).
 */
export function readOpenAiUsage(value: unknown): ReportedUsage {
  const usage = asObject(value);
  if (!usage) return undefined;
  const prompt = asObject(usage["prompt_tokens_details"]);
  const completion = asObject(usage["completion_tokens_details"]);
  const promptTokens = asCount(usage["prompt_tokens"]);
  const completionTokens =
    asNumber(usage["completion_tokens"]) === undefined
      ? Math.max(0, asCount(usage["total_tokens"]) - promptTokens)
      : asCount(usage["completion_tokens"]);
  const reported = {
    promptTokens,
    completionTokens,
    cacheReadTokens: asCount(prompt?.["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"]),
    cacheWriteTokens: asCount(prompt?.["cache_write_tokens"] ?? prompt?.["cache_creation_input_tokens"]),
    reasoningTokens: asCount(completion?.["reasoning_tokens"]),
  };
  return withReportedCost(withDetails(reported, prompt, completion), usage);
}

/**
 * OpenAI's reasons, and those of compatible providers. Reasons of interrupted responses are left out, so that they become
 * `other`: `error`, `abort`, `network_error`, DeepSeek's `insufficient_system_resource`.
 */
const FINISH: Readonly<Record<string, FinishReason>> = {
  // Some providers send none.
  "": "stop",
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  // Mistral's and Zhipu's reasons for a full context.
  model_length: "length",
  model_context_window_exceeded: "length",
  // Zhipu's and Tencent's reason.
  sensitive: "content-filter",
  // Reasons of the models' own formats that some providers pass on (Text Generation Inference, Together, gateways).
  eos: "stop",
  eos_token: "stop",
  end_turn: "stop",
  stop_sequence: "stop-sequence",
  max_tokens: "length",
  tool_use: "tool-calls",
  safety: "content-filter",
  refusal: "content-filter",
};

/** Whether a word is a finish reason of any provider of this format. */
export const isFinishReason = (word: string): boolean => Object.hasOwn(FINISH, word);

/**
 * Maps the finish reason; some providers send "stop" for tool calls, and some have reasons of their own. Calls that are
 * announced and missing were lost on the way: callers would wait for them.
 */
export function readFinish(word: string, hasToolCalls: boolean): FinishReason {
  const reason = FINISH[word] ?? "other";
  if (reason === "tool-calls" && !hasToolCalls) return "other";
  return hasToolCalls && (reason === "stop" || reason === "other") ? "tool-calls" : reason;
}

/** The texts of one type in a list of content parts; thinking parts contain a nested list. */
const getTexts = (content: unknown, type: "text" | "thinking"): string =>
  asList(content)
    .map((part) => asObject(part) ?? {})
    .filter((part) => (part["type"] ?? "text") === type)
    .map((part) => asText(part[type]) ?? getTexts(part[type], "text"))
    .join("");

/** The content is a string, or a list of parts from some providers. */
export const readText = (content: unknown): string =>
  typeof content === "string" ? content : content ? getTexts(content, "text") : "";

/**
 * The reasoning of a message or a delta, under either of the two field names in use, or as parts of the content
 * (Mistral).
 */
export function readReasoning(message: Json): string {
  const named = asText(message["reasoning_content"]) || asText(message["reasoning"]);
  if (named) return named;
  return Array.isArray(message["content"]) ? getTexts(message["content"], "thinking") : "";
}

/** The words of a choice's audio, which no other format has a place for. */
export const getAudioText = (message: Json): string => asText(asObject(message["audio"])?.["transcript"]) ?? "";

/** The generated text of a message or a delta: content, reasoning, the words of audio, and tool calls. */
function getGeneratedText(message: Json): string {
  const calls = asObjects(message["tool_calls"]).map((call) => asObject(call["function"]) ?? asObject(call["custom"]));
  const functions = [...calls, asObject(message["function_call"])];
  const texts = functions.flatMap((called) => [called?.["name"], called?.["arguments"], called?.["input"]].map(asText));
  const own = [readReasoning(message), readText(message["content"]), asText(message["refusal"])];
  return [...own, getAudioText(message), ...texts].join("");
}

/** What the choices after the first generated, in a message or as deltas: callers of other formats get the first alone. */
export const getOtherChoicesText = (choices: readonly unknown[]): string =>
  asObjects(choices)
    .filter((choice, place) => (asNumber(choice["index"]) ?? place) > 0)
    .map((choice) => getGeneratedText(asObject(choice["message"]) ?? asObject(choice["delta"]) ?? {}))
    .join("");

/**
 * Parses only the usage of a response in OpenAI's format. Throws StreamFailure if a 200 response contains an error or
 * is not an object.
 */
export const parseUsage = (value: unknown): ChatResponse => toResponse(readOpenAiUsage(parseObject(value)["usage"]));
