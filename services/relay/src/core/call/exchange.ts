import type { ServerResponse } from "node:http";
import type { KeepAlive } from "./keep-alive.ts";
import type { RelayCall } from "./relay-call.ts";

/** The caller's side of a call: answers go out through it, and it tells when the caller has left. */
export type Exchange = {
  readonly requestId: string;
  readonly response: ServerResponse;
  /** True once the caller's connection is gone. */
  readonly isDisconnected: () => boolean;
  /** Runs when the caller leaves before the answer is complete. */
  readonly onDisconnect: (run: () => void) => void;
  /** Of streams whose silence is broken by comments. */
  keepAlive?: KeepAlive;
};

/** Serves one call. Rejects with RelayError while nothing was sent to the client; later failures end inside the stream. */
export type HandleCall = (call: RelayCall, exchange: Exchange) => Promise<void>;

export function createExchange(response: ServerResponse, requestId: string): Exchange {
  let listeners: (() => void)[] | undefined;
  let gone = false;
  response.on("close", () => {
    if (response.writableFinished) return;
    gone = true;
    for (const run of listeners ?? []) run();
  });
  return {
    requestId,
    response,
    isDisconnected: () => gone,
    onDisconnect: (run) => {
      if (gone) run();
      else (listeners ??= []).push(run);
    },
  };
}

const ONE_PIECE_BYTES_MAX = 64 * 1024;

/** Sends a whole JSON answer, unless the caller has left or an answer has begun. */
export function sendJson(
  exchange: Exchange,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { response } = exchange;
  if (response.headersSent || exchange.isDisconnected()) return;
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": exchange.requestId,
    ...headers,
  });
  // Text goes out in one piece with the head; every byte is one latin1 character.
  if (typeof body === "string") response.end(body);
  else if (body.length <= ONE_PIECE_BYTES_MAX) response.end(body.toString("latin1"), "latin1");
  else response.end(body);
}
