import { createMappedSplitter } from "../../upstream/frame-splitter.ts";
import type { Provider } from "../contract/provider.ts";
import type { Frame, FrameSplitter } from "../../core/wire/stream.ts";

/** Whether it is an answer of chat that does not say so. */
const isNameless = (json: string): boolean =>
  json.startsWith("{") && !json.includes('"object"') && json.includes('"choices"');

const withName = (json: string, name: string): string => `{"object":"${name}",${json.slice(1)}`;

function nameChunk(frame: Frame): Frame {
  const { event } = frame;
  if (!event || !isNameless(event.data)) return frame;
  return { ...frame, raw: Buffer.from(`data: ${withName(event.data, "chat.completion.chunk")}\n\n`) };
}

/** Splits streams whose chunks leave out what they are, which OpenAI's form requires; what else they say stays. */
export const createNamedChunks = (): FrameSplitter => createMappedSplitter(nameChunk);

/** The same of whole answers. */
export const nameAnswer: NonNullable<Provider["finish"]> = ({ headers, body }) => {
  const json = body.toString("utf8").trimStart();
  const contentType = String(headers["content-type"] ?? "application/json");
  return { body: isNameless(json) ? Buffer.from(withName(json, "chat.completion")) : body, contentType };
};
