import type { ChatRequest, StreamPart } from "../../chat/chat.ts";
import { readParts, readStreamBytes, targetFor } from "../fixtures.ts";
import { providerOf } from "../index.ts";
import type { Provider } from "../provider.ts";

export const openai = providerOf(1) as Provider;

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
