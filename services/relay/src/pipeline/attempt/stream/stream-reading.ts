import { createFrameSplitter } from "../../../upstream/frame-splitter.ts";
import type { StreamInput } from "./stream-input.ts";

/** What splits and reads the stream of an attempt, with the content policy where it applies. */
export function openReading({ call: { content, sealing, chargeLimit }, prepared }: StreamInput) {
  const splitter = ((prepared.written ?? prepared.provider.streaming)?.newFrameSplitter ?? createFrameSplitter)();
  const own = prepared.provider.newStreamReader();
  const filter = prepared.passThrough ? content?.filterRawStream : content?.filterStream;
  const reader = filter?.(own) ?? own;
  // Every event of a sealed stream is rewritten.
  const skim = prepared.passThrough && !sealing && !chargeLimit ? reader.skim : undefined;
  return { splitter, reader, skim };
}
