import type { ChatRequest, StreamPart } from "../../core/chat/chat.ts";
import { readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import type { Target } from "../contract/target.ts";
import { gemini } from "./gemini.ts";

export const MODEL = "gemini-2.5-flash";

export const target = (given: Partial<Target> = {}): Target => targetFor({ channelType: 24, model: MODEL, ...given });

export const request = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: MODEL,
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  ...fields,
});

export type Body = {
  contents: { role: string; parts: Record<string, unknown>[] }[];
  generationConfig: Record<string, unknown>;
} & Record<string, unknown>;

export const build = (fields: Partial<ChatRequest>, given: Partial<Target> = {}) =>
  gemini.buildRequest(request(fields), target(given)).json as Body;

export const stream = (name: string, pieceBytes?: number): StreamPart[] =>
  readParts(gemini.newStreamReader(), readStreamBytes("gemini", name), pieceBytes);
