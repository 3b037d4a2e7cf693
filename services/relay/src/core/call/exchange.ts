import type { ServerResponse } from "node:http";
import type { KeepAlive } from "./keep-alive.ts";
import type { RelayCall } from "./relay-call.ts";

/** The client side of a call: sends responses and reports a client disconnect. */
export type Exchange = {
  readonly requestId: string;
  readonly response: ServerResponse;
  /** True once the client disconnected. */
  readonly isDisconnected: () => boolean;
  /** Runs when the client disconnects before the response is complete. */
  readonly onDisconnect: (run: () => void) => void;
  /** For streams with keep-alive comments. */
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

/** Sends a complete JSON response, unless the client disconnected or a response has begun. */
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
  // The body is written together with the headers; every byte is one latin1 character.
  if (typeof body === "string") response.end(body);
  else if (body.length <= ONE_PIECE_BYTES_MAX) response.end(body.toString("latin1"), "latin1");
  else response.end(body);
}
