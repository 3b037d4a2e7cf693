import type { FinishReason, Json, ReportedUsage } from "../../core/chat/chat.ts";

/** Google's finish reasons (ai.google.dev/api/generate-content, FinishReason); function calls end with STOP as well. */
export const GEMINI_FINISH: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  "stop-sequence": "STOP",
  length: "MAX_TOKENS",
  "tool-calls": "STOP",
  "content-filter": "SAFETY",
  refusal: "SAFETY",
  paused: "OTHER",
  failed: "OTHER",
  other: "OTHER",
};

/**
 * `usageMetadata`: reasoning tokens are reported separately from the candidates' tokens, cached tokens are part of the
 * prompt's.
 */
export function geminiUsage(usage: ReportedUsage): Json {
  const { promptTokens = 0, completionTokens = 0, reasoningTokens = 0, cacheReadTokens = 0 } = usage ?? {};
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: Math.max(0, completionTokens - reasoningTokens),
    totalTokenCount: promptTokens + completionTokens,
    ...(reasoningTokens > 0 ? { thoughtsTokenCount: reasoningTokens } : {}),
    ...(cacheReadTokens > 0 ? { cachedContentTokenCount: cacheReadTokens } : {}),
  };
}
