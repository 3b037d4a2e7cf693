import { createMappedSplitter } from "../../../upstream/frame-splitter.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Frame, FrameSplitter } from "../../../core/wire/stream.ts";

/** Whether it is a chat response without `object`. */
const isNameless = (json: string): boolean =>
  json.startsWith("{") && !json.includes('"object"') && json.includes('"choices"');

const withName = (json: string, name: string): string => `{"object":"${name}",${json.slice(1)}`;

function nameChunk(frame: Frame): Frame {
  const { event } = frame;
  if (!event || !isNameless(event.data)) return frame;
  return { ...frame, raw: Buffer.from(`data: ${withName(event.data, "chat.completion.chunk")}\n\n`) };
}

/** Splits streams whose chunks lack `object`, which OpenAI's format requires, and adds it; other fields stay. */
export const createNamedChunks = (): FrameSplitter => createMappedSplitter(nameChunk);

/** The same for non-streaming responses. */
export const addObjectField: NonNullable<Provider["finish"]> = ({ headers, body }) => {
  const json = body.toString("utf8").trimStart();
  const contentType = String(headers["content-type"] ?? "application/json");
  return { body: isNameless(json) ? Buffer.from(withName(json, "chat.completion")) : body, contentType };
};
