import type { Exchange } from "../../core/call/exchange.ts";
import { writeStreamHead } from "../../core/call/keep-alive.ts";

/** The content type of events. */
export const EVENTS = "text/event-stream; charset=utf-8";

export type ClientStream = {
  /** True once the head and something of the answer went out: from here on no other channel can be tried. */
  readonly hasBegun: () => boolean;
  /** Collects what goes to the caller; everything that one chunk of upstream's brought leaves in one write. */
  readonly write: (bytes: string | Buffer) => void;
  readonly flush: () => void;
};

/**
 * The caller's end of a streamed answer. The head goes out with the first bytes; a caller who reads slowly pauses upstream; one
 * who has left gets nothing more.
 */
export function createClientStream(
  exchange: Exchange,
  /** `onBegin` answers the content type where it is not that of events. */
  hooks: { onBegin: () => string | undefined; pause: () => void; resume: () => void },
): ClientStream {
  const { response } = exchange;
  let outgoing: Buffer[] = [];
  let begun = false;
  let paused = false;

  const begin = (): void => {
    begun = true;
    writeStreamHead(exchange, hooks.onBegin() ?? EVENTS);
  };
  return {
    hasBegun: () => begun,
    write(bytes) {
      if (bytes.length > 0) outgoing.push(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
    },
    flush() {
      const [first] = outgoing;
      if (!first) return;
      const parts = outgoing;
      outgoing = [];
      if (exchange.isDisconnected()) return;
      if (!begun) begin();
      exchange.keepAlive?.touch();
      if (response.write(parts.length === 1 ? first : Buffer.concat(parts)) || paused) return;
      paused = true;
      hooks.pause();
      response.once("drain", () => {
        paused = false;
        hooks.resume();
      });
    },
  };
}
