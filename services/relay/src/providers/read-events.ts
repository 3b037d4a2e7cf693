import type { ChatResponse, ContentPart, StreamPart } from "../chat/chat.ts";
import { createFrameSplitter } from "../upstream/frame-splitter.ts";
import { unreadableResponse } from "./failure.ts";
import type { Provider } from "./provider.ts";

type Call = { id: string; name: string; argumentsText: string };

/** Puts the steps of a streamed answer together. Throws StreamFailure when the last one is missing. */
export function toResponse(stream: readonly StreamPart[]): ChatResponse {
  const calls: Call[] = [];
  let start = { id: "", model: "" };
  let text = "";
  let reasoning = "";
  for (const part of stream) {
    if (part.type === "start") start = part;
    else if (part.type === "text-delta") text += part.text;
    else if (part.type === "reasoning-delta") reasoning += part.text;
    else if (part.type === "tool-call-start") calls[part.index] = { id: part.id, name: part.name, argumentsText: "" };
    else if (part.type === "tool-call-delta") {
      const call = calls[part.index];
      if (call) call.argumentsText += part.argumentsText;
    }
  }
  const finish = stream.at(-1);
  if (finish?.type !== "finish") throw unreadableResponse();
  const parts: ContentPart[] = [
    ...(reasoning === "" ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call) => ({ type: "tool-call" as const, ...call })),
  ];
  return {
    id: start.id,
    model: start.model,
    createdAtSeconds: 0,
    parts,
    finishReason: finish.reason,
    usage: finish.usage,
  };
}

/** A whole answer from the events that it came in. Throws StreamFailure when they tell of an error or end before their end. */
export function readEvents(provider: Provider, body: Buffer): ChatResponse {
  const splitter = (provider.newFrameSplitter ?? createFrameSplitter)();
  const reader = provider.newStreamReader();
  const frames = [...splitter.push(body), splitter.end()];
  const parts = frames.flatMap((frame) => (frame?.event ? reader.read(frame.event) : []));
  parts.push(...reader.end());
  if (!reader.isComplete()) throw unreadableResponse();
  return toResponse(parts);
}
