import type { StreamPart } from "../../core/chat/chat.ts";
import { failureOf } from "../shared/upstream-failure.ts";
import { type FrameSplitter, StreamFailure, type StreamReader } from "../../core/wire/stream.ts";

const NO_EVENT = { event: undefined, data: "" } as const;

/** For answers that are bytes of any kind: each chunk is a frame as it came. */
export const newChunkFrames = (): FrameSplitter => ({
  push: (chunk) => [{ raw: chunk, event: NO_EVENT }],
  end: () => undefined,
});

/** Of bytes nothing is read but that some came and ended as HTTP says they should. Throws StreamFailure when none did. */
export function newBytesReader(): StreamReader {
  let hasBytes = false;
  let isComplete = false;
  return {
    read() {
      hasBytes = true;
      return [];
    },
    end(): StreamPart[] {
      if (!hasBytes) throw new StreamFailure(failureOf("upstream sent an empty answer", { code: "bad_response_body" }));
      isComplete = true;
      return [{ type: "finish", reason: "stop", usage: undefined }];
    },
    isComplete: () => isComplete,
  };
}
