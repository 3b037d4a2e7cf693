import { CHARGE_TRAILERS } from "./charge-headers.ts";
import type { Exchange } from "./exchange.ts";
import type { KeepAlive } from "./exchange.ts";

const STEP_MS = 10;
const PING = "PING";

/** Sends the stream's headers once. */
export function writeStreamHead(exchange: Exchange, contentType: string): void {
  if (exchange.response.headersSent) return;
  exchange.response.writeHead(200, {
    // Clients of HTTP/1.0 read no chunks, after which trailers follow.
    ...(exchange.response.useChunkedEncodingByDefault ? CHARGE_TRAILERS : {}),
    "content-type": contentType,
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    "x-request-id": exchange.requestId,
  });
}

/**
 * Sends a comment whenever nothing was sent for the given interval. The first comment sends the stream's headers: from
 * then on a failure can only be reported inside the stream, although failover to another channel is still possible.
 */
export function startKeepAlive(exchange: Exchange, intervalMs: number, contentType: string, comment = PING): KeepAlive {
  let sentAt = performance.now();
  const beat = (): void => {
    const silentMs = performance.now() - sentAt;
    if (exchange.isDisconnected() || exchange.response.writableEnded) return;
    // A slow reader needs no comment: unsent bytes are already buffered for it.
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
