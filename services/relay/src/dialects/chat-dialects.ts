import type { WireFormat } from "../core/wire/wire-format.ts";
import { anthropicMessages } from "./anthropic-messages/anthropic-messages.ts";
import type { Dialect } from "../core/call/dialect.ts";
import { geminiGenerate } from "./gemini-generate/gemini-generate.ts";
import { openAiChat } from "./openai-chat/openai-chat.ts";

/** The chat dialects by wire format. */
export const DIALECTS = {
  "openai-chat": openAiChat,
  "anthropic-messages": anthropicMessages,
  gemini: geminiGenerate,
} as const satisfies Partial<Record<WireFormat, Dialect>>;
