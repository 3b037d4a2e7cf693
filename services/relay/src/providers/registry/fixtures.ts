import type { ChatRequest, StreamPart } from "../../core/chat/chat.ts";
import { readParts } from "../shared/fixtures.ts";
import { findProvider } from "./providers.ts";
import type { Provider } from "../contract/provider.ts";

/** The provider of a channel type. */
export const provider = (type: number): Provider => {
  const found = findProvider(type);
  if (!found) throw new Error(`no provider of type ${type}`);
  return found;
};

export const REQUEST: ChatRequest = {
  model: "m",
  system: [{ type: "text", text: "Be brief." }],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: true,
  includeUsage: false,
};

/** Parses a stream of chunks, each an event. */
export const getStream = (type: number, chunks: readonly unknown[]): { parts: StreamPart[]; isComplete: boolean } => {
  const reader = provider(type).newStreamReader();
  const bytes = Buffer.from(
    chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join(""),
  );
  return { parts: readParts(reader, bytes), isComplete: reader.isComplete() };
};
