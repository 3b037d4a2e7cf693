import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { FinishReason, ReportedUsage } from "../../core/chat/chat.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";

/** OpenAI's finish reasons; it has none for a response that may be incomplete except `length`. */
export const OPENAI_FINISH: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
  // The words are in a field of their own.
  refusal: "stop",
  paused: "length",
  failed: "length",
  other: "length",
};

/** Whether the caller sent legacy `functions`, and therefore reads a call as `function_call`. */
export const callsFunctions = ({ requested }: Pick<ResponseContext, "requested">): boolean =>
  Boolean(requested?.["functions"]) && !requested?.["tools"];

/** The finish reason in the caller's format. */
export const finishWord = (reason: FinishReason, context: ResponseContext): string =>
  reason === "tool-calls" && callsFunctions(context) ? "function_call" : OPENAI_FINISH[reason];

/** OpenAI's usage object; zeros if upstream reported nothing, because clients read the fields without a check. */
export function openAiUsage(reported: ReportedUsage) {
  const usage: TokenUsage = reported ?? NO_USAGE;
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.promptTokens + usage.completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      ...(usage.cacheWriteTokens > 0 ? { cache_write_tokens: usage.cacheWriteTokens } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}

/** Google's field for a reasoning signature in its OpenAI format; Gemini requires it back with the call. */
export const signatureField = (signature: string | undefined) =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
