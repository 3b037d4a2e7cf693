import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { RelayCall } from "../../core/call/relay-call.ts";

const EMPTY_CHOICES = /"choices"\s*:\s*\[\s*\]/;

/** Whether a stream event of OpenAI's format is the usage chunk after the finish. */
export function hasUsageOnly(data: string): boolean {
  return data.includes('"usage"') && EMPTY_CHOICES.test(data) && !/"usage"\s*:\s*null/.test(data);
}

/**
 * The usage chunk as an event, for callers who requested usage that upstream did not report; `id` is the response id
 * from upstream.
 */
export function usageChunk(call: RelayCall, id: string, usage: TokenUsage): string {
  const chunk = {
    id: id || `chatcmpl-${call.requestId}`,
    object: call.dialect.endpoint ? "text_completion" : "chat.completion.chunk",
    created: Math.floor(call.startedAtMs / 1000),
    model: call.model,
    choices: [],
    usage: {
      prompt_tokens: usage.promptTokens,
      completion_tokens: usage.completionTokens,
      total_tokens: usage.promptTokens + usage.completionTokens,
    },
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
