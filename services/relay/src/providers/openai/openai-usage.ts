import type { FinishReason, Json, ReportedUsage } from "../../chat/chat.ts";
import { asCount, asNumber, asObject, asText } from "../../chat/json.ts";

/** Usage as OpenAI counts it; DeepSeek names the cached part otherwise. Undefined where there is no usage object. */
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
  return {
    promptTokens,
    completionTokens,
    cacheReadTokens: asCount(prompt?.["cached_tokens"] ?? usage["prompt_cache_hit_tokens"]),
    cacheWriteTokens: asCount(prompt?.["cache_write_tokens"]),
    reasoningTokens: asCount(completion?.["reasoning_tokens"]),
  };
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
};

/** How an answer ended; some providers say "stop" for tool calls, and some have words of their own. */
export function readFinish(word: string, hasToolCalls: boolean): FinishReason {
  const reason = FINISH[word] ?? "other";
  return hasToolCalls && (reason === "stop" || reason === "other") ? "tool-calls" : reason;
}

/** Reasoning of a message or a delta, under either of the two names in use. */
export const readReasoning = (message: Json): string =>
  asText(message["reasoning_content"]) || asText(message["reasoning"]) || "";
