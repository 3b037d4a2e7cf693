import type { ChatMessage, ChatRequest, StreamPart } from "../../core/chat/chat.ts";
import { readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import type { Target } from "../contract/target.ts";
import { anthropic } from "./anthropic.ts";

export const MODEL = "claude-sonnet-4-5-20250929";

export const target = (given: Partial<Target> = {}): Target => targetFor({ channelType: 14, model: MODEL, ...given });

export const request = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: MODEL,
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  ...fields,
});

export const build = (fields: Partial<ChatRequest>, given: Partial<Target> = {}) =>
  anthropic.buildRequest(request(fields), target(given)).json;

export const stream = (name: string, pieceBytes?: number): StreamPart[] =>
  readParts(anthropic.newStreamReader(), readStreamBytes("anthropic", name), pieceBytes);

export const text = (role: ChatMessage["role"], words: string): ChatMessage => ({
  role,
  parts: [{ type: "text", text: words }],
});
