import type { Exchange } from "../../core/call/exchange.ts";
import { writeStreamHead } from "../../core/call/keep-alive.ts";

/** The content type of server-sent events. */
export const EVENTS = "text/event-stream; charset=utf-8";

export type ClientStream = {
  /** True once the headers and part of the response were sent: from then on no failover is possible. */
  readonly hasBegun: () => boolean;
  /** Batches the writes to the caller: everything produced by one upstream chunk is sent in one write. */
  readonly write: (bytes: string | Buffer) => void;
  readonly flush: () => void;
};

/**
 * The client side of a streamed response. The headers are sent with the first bytes; a slow reader pauses upstream;
 * nothing is sent to a disconnected client.
 */
export function createClientStream(
  exchange: Exchange,
  /** `onBegin` returns the content type if it is not that of server-sent events. */
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
