import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { FinishReason, ReportedUsage } from "../../core/chat/chat.ts";
import { asObjects, asText } from "../../core/chat/json.ts";
import { ownNames } from "../../core/chat/tool-names.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";

/** Anthropic's words for how an answer ended. */
export const ANTHROPIC_STOP: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  length: "max_tokens",
  "tool-calls": "tool_use",
  "content-filter": "refusal",
  other: "end_turn",
};

/** Searches of the web, whatever a provider calls them; of files and the like Anthropic's usage does not speak. */
const searchesOf = (toolCalls: Readonly<Record<string, number>> = {}): number =>
  Object.entries(toolCalls).reduce((sum, [name, count]) => sum + (/^(web|google)_search/.test(name) ? count : 0), 0);

/** Anthropic's usage: `input_tokens` leaves out what the cache gave or took, which stands beside it. */
export function anthropicUsage(reported: ReportedUsage) {
  const usage = reported ?? NO_USAGE;
  const { promptTokens, completionTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = usage;
  const searches = searchesOf(usage.toolCalls);
  return {
    input_tokens: Math.max(0, promptTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: completionTokens,
    ...(searches > 0 ? { server_tool_use: { web_search_requests: searches } } : {}),
    ...(reasoningTokens > 0 ? { output_tokens_details: { thinking_tokens: reasoningTokens } } : {}),
  };
}

/** The names that the caller's tools have. */
export const toolNamesOf = ({ asked }: ResponseContext): ((name: string) => string) =>
  ownNames(asObjects(asked?.["tools"]).flatMap(({ name }) => asText(name) ?? []));

/** Anthropic's message ids begin with `msg_`; other providers' ids are replaced by one made of the request's. */
export const messageId = (upstreamId: string, requestId: string): string =>
  upstreamId.startsWith("msg_") ? upstreamId : `msg_${requestId}`;
