import type { ChatRequest, StreamPart } from "../../../core/chat/chat.ts";
import { readParts, readStreamBytes, targetFor } from "../../shared/fixtures.ts";
import { findProvider } from "../../registry/providers.ts";
import type { Provider } from "../../contract/provider.ts";

export const openai = findProvider(1) as Provider;

export const stream = (name: string, pieceBytes?: number): StreamPart[] =>
  readParts(openai.newStreamReader(), readStreamBytes("openai", name), pieceBytes);

const request = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: "gpt-4o",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  ...fields,
});

export const build = (fields: Partial<ChatRequest>, model = "gpt-4o") =>
  openai.buildRequest(request(fields), targetFor({ model })).json;
