import { type Exchange, untilDrained } from "../../core/call/exchange.ts";
import type { Recording } from "./recording.ts";

/** The header of responses to repeated calls. */
const REPLAYED = { "idempotent-replayed": "true" } as const;

function sendHead({ response }: Exchange, { head }: Recording, isRepeat: boolean): void {
  if (!head || response.headersSent) return;
  const headers = { ...head.headers };
  // Clients of HTTP/1.0 read no chunks, after which trailers follow.
  if (!response.useChunkedEncodingByDefault) delete headers["trailer"];
  response.writeHead(head.status, { ...headers, ...(isRepeat ? REPLAYED : {}) });
}

/**
 * Sends a recorded response to one client while it is produced; resolves when it is sent or the client disconnected.
 * Throws the error of a call that failed before it sent anything.
 */
export async function playTo(exchange: Exchange, recording: Recording, isRepeat: boolean): Promise<void> {
  const { response } = exchange;
  // A race with a promise for the disconnect would keep every change of a long stream in memory.
  exchange.onDisconnect(() => recording.wake());
  for (let at = 0; !exchange.isDisconnected();) {
    // The client of the call itself gets the error as any other; what is recorded of it is for repeats.
    if (recording.failure && !(isRepeat && recording.written)) throw recording.failure.error;
    if (recording.visible > at) {
      sendHead(exchange, recording, isRepeat);
      const part = Buffer.concat(recording.pieces.slice(at, recording.visible));
      at = recording.visible;
      if (recording.ending?.isWhole) {
        response.addTrailers(recording.ending.trailers);
        return void response.end(part);
      }
      if (!response.write(part)) await untilDrained(exchange);
    } else if (recording.ending) {
      sendHead(exchange, recording, isRepeat);
      if (!recording.ending.isWhole) return void response.destroy();
      response.addTrailers(recording.ending.trailers);
      return void response.end();
    } else await recording.changed();
  }
}
