import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { asList, asObject, compact } from "../../core/chat/json.ts";
import { isEffort } from "../../core/chat/reasoning.ts";
import { parseServiceTier } from "../shared/service-tier.ts";
import { parseThinking } from "../shared/reasoning-effort.ts";
import {
  checkChatBody,
  invalidField,
  optionalBoolean,
  optionalNumber,
  optionalObject,
  optionalText,
  optionalTexts,
  optionalTokenBound,
  requireList,
  requireName,
} from "../shared/fields.ts";
import { parseMessages } from "./openai-messages.ts";
import { parseResponseFormat, parseTools } from "./openai-tools.ts";
import { parseWebSearch } from "./openai-web-search.ts";

/**
 * Reasoning in the three forms that OpenAI callers use: the effort, OpenRouter's `reasoning`, Anthropic's `thinking`.
 */
function parseReasoning(body: Json): ChatRequest["reasoning"] {
  const router = asObject(body["reasoning"]);
  const own = body["reasoning_effort"] ?? undefined;
  const effort = own ?? router?.["effort"] ?? undefined;
  const param = own === undefined ? "reasoning.effort" : "reasoning_effort";
  if (effort !== undefined && !isEffort(effort)) throw invalidField(param, "is not a known effort");
  const budgetTokens = optionalNumber(router?.["max_tokens"], "reasoning.max_tokens");
  if (effort !== undefined || budgetTokens !== undefined) return compact({ effort, budgetTokens });
  return parseThinking(body["thinking"]);
}

function parseSampling(body: Json) {
  return {
    temperature: optionalNumber(body["temperature"], "temperature"),
    topP: optionalNumber(body["top_p"], "top_p"),
    topK: optionalNumber(body["top_k"], "top_k"),
    stop: optionalTexts(body["stop"], "stop"),
    seed: optionalNumber(body["seed"], "seed"),
    presencePenalty: optionalNumber(body["presence_penalty"], "presence_penalty"),
    frequencyPenalty: optionalNumber(body["frequency_penalty"], "frequency_penalty"),
    candidateCount: optionalNumber(body["n"], "n"),
  };
}

/** Fields that no other provider supports, and that OpenAI validates itself. */
const OPENAI_ALONE = [
  "verbosity",
  "service_tier",
  "metadata",
  "moderation",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
] as const;

function readOpenAiAlone(body: Json): Json | undefined {
  const present = OPENAI_ALONE.filter((name) => body[name] !== undefined && body[name] !== null);
  return present.length === 0 ? undefined : Object.fromEntries(present.map((name) => [name, body[name]]));
}

/**
 * Parses a chat completions body into the internal form. Throws RelayError invalid_request with the invalid field in
 * `param`.
 */
export function parseOpenAiRequest(value: unknown): ChatRequest {
  const body = checkChatBody(value);
  if (asList(body["modalities"]).includes("audio"))
    throw invalidField("modalities", "audio is not supported for this model");
  if (optionalBoolean(body["logprobs"], "logprobs")) throw invalidField("logprobs", "is not supported for this model");
  const streamOptions = optionalObject(body["stream_options"], "stream_options");
  return compact({
    model: requireName(body["model"], "model"),
    ...parseMessages(requireList(body["messages"], "messages")),
    stream: optionalBoolean(body["stream"], "stream") ?? false,
    includeUsage: optionalBoolean(streamOptions?.["include_usage"], "stream_options.include_usage") ?? false,
    maxOutputTokens:
      optionalTokenBound(body["max_completion_tokens"], "max_completion_tokens") ??
      optionalTokenBound(body["max_tokens"], "max_tokens"),
    ...parseSampling(body),
    ...parseTools(body),
    parallelToolCalls: optionalBoolean(body["parallel_tool_calls"], "parallel_tool_calls"),
    webSearch: parseWebSearch(body["web_search_options"]),
    responseFormat: parseResponseFormat(body["response_format"]),
    reasoning: parseReasoning(body),
    user: optionalText(body["user"], "user"),
    serviceTier: parseServiceTier(body["service_tier"]),
    openAi: readOpenAiAlone(body),
  });
}
