import type { StreamEvent } from "../wire/stream.ts";

/** Seals what upstream minted in the responses of an attempt, before the caller receives them. */
export type ResponseSeal = {
  /** A non-streaming response; the same bytes if it is not a JSON object. */
  readonly body: (raw: Buffer) => Buffer;
  /** An event of a stream, with its end. */
  readonly event: (event: StreamEvent) => Buffer;
};
