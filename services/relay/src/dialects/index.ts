import type { WireFormat } from "../providers/provider.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import type { Dialect } from "./dialect.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";

export { anthropicMessages, openAiChat };

/** The inbound dialects of the chat API by their wire format. Gemini's is spoken by upstreams only. */
export const DIALECTS = {
  "openai-chat": openAiChat,
  "anthropic-messages": anthropicMessages,
} as const satisfies Partial<Record<WireFormat, Dialect>>;
