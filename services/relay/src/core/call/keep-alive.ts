import type { Exchange } from "./exchange.ts";

/** Says something in a stream while upstream says nothing, so that no proxy on the way gives it up. */
export type KeepAlive = {
  /** Something of the answer goes out: silence begins anew. */
  readonly touch: () => void;
  readonly stop: () => void;
};

const STEP_MS = 10;
const PING = "PING";

/** The head of a stream, once. */
export function writeStreamHead(exchange: Exchange, contentType: string): void {
  if (exchange.response.headersSent) return;
  exchange.response.writeHead(200, {
    "content-type": contentType,
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    "x-request-id": exchange.requestId,
  });
}

/**
 * Sends a comment whenever nothing was sent for so long. The first one sends the stream's head: from then on a failure can only be told
 * inside the stream, though another channel may still be tried.
 */
export function startKeepAlive(exchange: Exchange, intervalMs: number, contentType: string, comment = PING): KeepAlive {
  let sentAt = performance.now();
  const beat = (): void => {
    const silentMs = performance.now() - sentAt;
    if (exchange.isDisconnected() || exchange.response.writableEnded) return;
    // A caller who reads slowly is not left without a sign: bytes are waiting for it.
    if (silentMs >= intervalMs && !exchange.response.writableNeedDrain) {
      writeStreamHead(exchange, contentType);
      exchange.response.write(`: ${comment}\n\n`);
      sentAt = performance.now();
    }
    timer = setTimeout(beat, Math.max(STEP_MS, sentAt + intervalMs - performance.now()));
  };
  let timer = setTimeout(beat, intervalMs);
  return {
    touch: () => {
      sentAt = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
