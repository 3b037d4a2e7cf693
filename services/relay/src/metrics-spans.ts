import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { ChatCall } from "./calls/chat-call.ts";

/** What a span tells of a call in the words of OpenTelemetry's GenAI conventions: figures and names, never what was said. */
export const genAiFacts = (call: ChatCall, usage: TokenUsage): Record<string, string | number | boolean> => ({
  "gen_ai.operation.name": call.dialect.endpoint ? call.dialect.name : "chat",
  "gen_ai.request.model": call.model,
  "gen_ai.request.stream": call.stream,
  "gen_ai.usage.input_tokens": usage.promptTokens,
  "gen_ai.usage.output_tokens": usage.completionTokens,
  "turnpike.channel": call.tried.at(-1)?.channel.id ?? 0,
  "turnpike.attempts": call.tried.length,
});
