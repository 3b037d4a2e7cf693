import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { FinishReason, ReportedUsage } from "../../core/chat/chat.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";

/** OpenAI's words for how an answer ended. */
export const OPENAI_FINISH: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  length: "length",
  "tool-calls": "tool_calls",
  "content-filter": "content_filter",
  other: "stop",
};

/** Whether the caller offered `functions`, as before there were tools, and reads a call as `function_call`. */
export const callsFunctions = ({ asked }: Pick<ResponseContext, "asked">): boolean =>
  Boolean(asked?.["functions"]) && !asked?.["tools"];

/** How an answer ended, in the words of its caller. */
export const finishWord = (reason: FinishReason, context: ResponseContext): string =>
  reason === "tool-calls" && callsFunctions(context) ? "function_call" : OPENAI_FINISH[reason];

/** OpenAI's usage object; zeros where upstream said nothing, because clients read the fields without asking. */
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

/** Where Google's own OpenAI format keeps a thought signature, which Gemini wants back with the call. */
export const signatureField = (signature: string | undefined) =>
  signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
