import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import type { Json } from "../../../core/chat/chat.ts";
import { parseExactJson } from "../../../core/chat/exact-json.ts";
import { asObject } from "../../../core/chat/json.ts";

const EMPTY_CHOICES = /"choices"\s*:\s*\[\s*\]/;

/** Whether a stream event of OpenAI's format is the usage chunk after the finish. */
export function hasUsageOnly(data: string): boolean {
  return data.includes('"usage"') && EMPTY_CHOICES.test(data) && !/"usage"\s*:\s*null/.test(data);
}

const writeUsage = ({ promptTokens, completionTokens }: TokenUsage): Json => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
});

/** A response of OpenAI's format with the usage by which it is charged, where upstream reported none; other bodies as they are. */
export function addMissingUsage(body: string | Buffer, usage: TokenUsage): string | Buffer {
  const parsed = asObject(parseExactJson(body.toString()));
  if (!parsed || !Array.isArray(parsed["choices"]) || asObject(parsed["usage"])) return body;
  return JSON.stringify({ ...parsed, usage: writeUsage(usage) });
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
    usage: writeUsage(usage),
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
