import type { StreamPart } from "../../../core/chat/chat.ts";
import { getFailure } from "../upstream-failure.ts";
import { type FrameSplitter, StreamFailure, type StreamReader } from "../../../core/wire/stream.ts";

const NO_EVENT = { event: undefined, data: "" } as const;

/** For raw byte responses: each chunk is a frame, passed through unchanged. */
export const newChunkFrames = (): FrameSplitter => ({
  push: (chunk) => [{ raw: chunk, event: NO_EVENT }],
  end: () => undefined,
});

/**
 * Bytes are not parsed; it is only checked that some arrived and that the HTTP response is complete. Throws
 * StreamFailure if none arrived.
 */
export function newBytesReader(): StreamReader {
  let hasBytes = false;
  let isComplete = false;
  return {
    read() {
      hasBytes = true;
      return [];
    },
    end(): StreamPart[] {
      if (!hasBytes)
        throw new StreamFailure(getFailure("upstream sent an empty response", { code: "bad_response_body" }));
      isComplete = true;
      return [{ type: "finish", reason: "stop", usage: undefined }];
    },
    isComplete: () => isComplete,
  };
}
