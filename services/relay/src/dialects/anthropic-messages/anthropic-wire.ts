import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { FinishReason, ReportedUsage } from "../../core/chat/chat.ts";
import { asObjects, asText } from "../../core/chat/json.ts";
import { withToolChanges } from "./tool-changes.ts";
import { ownNames } from "../shared/tool-names.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";

/** Anthropic's stop reasons; it has none for a response that may be incomplete except `max_tokens`. */
export const ANTHROPIC_STOP: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
  refusal: "refusal",
  paused: "pause_turn",
  failed: "max_tokens",
  other: "max_tokens",
};

/** The explanation of a refusal. The policy category is known to Anthropic alone. */
export const stopDetails = (explanation: string) =>
  explanation === "" ? {} : { stop_details: { type: "refusal", category: null, explanation } };

/** Counts web searches under any provider's name; Anthropic's usage has no field for file search and similar tools. */
const getSearches = (toolCalls: Readonly<Record<string, number>> = {}): number =>
  Object.entries(toolCalls).reduce((sum, [name, count]) => sum + (/^(web|google)_search/.test(name) ? count : 0), 0);

/**
 * Anthropic's usage: `input_tokens` excludes tokens read from or written to the cache, which have fields of their own.
 */
export function anthropicUsage(reported: ReportedUsage) {
  const usage = reported ?? NO_USAGE;
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  const searches = getSearches(usage.toolCalls);
  return {
    input_tokens: Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: completionTokens,
    ...(searches > 0 ? { server_tool_use: { web_search_requests: searches } } : {}),
    ...(reasoningTokens > 0 ? { output_tokens_details: { thinking_tokens: reasoningTokens } } : {}),
  };
}

/** Restores the names of the caller's tools. */
export const getToolNames = ({ requested }: ResponseContext): ((name: string) => string) =>
  ownNames(asObjects(withToolChanges(requested ?? {})["tools"]).flatMap(({ name }) => asText(name) ?? []));

/** Anthropic's message ids begin with `msg_`; other providers' ids are replaced by one derived from the request id. */
export const messageId = (upstreamId: string, requestId: string): string =>
  upstreamId.startsWith("msg_") ? upstreamId : `msg_${requestId}`;
