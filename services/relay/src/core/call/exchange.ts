import type { ServerResponse } from "node:http";
import type { RelayCall } from "./relay-call.ts";

export type OnDisconnect = (run: () => void) => () => void;

/** The client side of a call: sends responses and reports a client disconnect. */
export type Exchange = {
  readonly requestId: string;
  readonly response: ServerResponse;
  /** True once the client disconnected. */
  readonly isDisconnected: () => boolean;
  /** Runs when the client disconnects before the response is complete; the returned function removes it. */
  readonly onDisconnect: OnDisconnect;
  /** Writes a failure, in the format of the caller's API, as the response of an exchange of the same call. */
  sendError?: (exchange: Exchange, error: unknown) => void;
  /** For streams with keep-alive comments. */
  keepAlive?: KeepAlive;
};

/** Serves one call. Rejects with RelayError while nothing was sent to the client; later failures end inside the stream. */
export type HandleCall = (call: RelayCall, exchange: Exchange) => Promise<void>;

const nothing = (): void => undefined;

/** Those who wait for a client to disconnect. */
export class DisconnectListeners {
  #listeners: Set<() => void> | undefined;

  add(run: () => void): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(run);
    return () => void listeners.delete(run);
  }

  run(): void {
    for (const run of this.#listeners ?? []) run();
  }
}

export function createExchange(response: ServerResponse, requestId: string): Exchange {
  const listeners = new DisconnectListeners();
  let disconnected = false;
  response.on("close", () => {
    if (response.writableFinished) return;
    disconnected = true;
    listeners.run();
  });
  return {
    requestId,
    response,
    isDisconnected: () => disconnected,
    onDisconnect: (run) => {
      if (!disconnected) return listeners.add(run);
      run();
      return nothing;
    },
  };
}

/**
 * Resolves when what `begin` starts calls its callback, or when the client disconnects. `begin` returns how to stop it:
 * a long call waits thousands of times, so no listener may outlive its wait.
 */
export const waitWithClient = (
  { onDisconnect }: Pick<Exchange, "onDisconnect">,
  begin: (finish: () => void) => () => void,
): Promise<void> =>
  new Promise((resolve) => {
    const stops: (() => void)[] = [];
    const finish = (): void => {
      for (const stop of stops.splice(0)) stop();
      resolve();
    };
    stops.push(begin(finish));
    stops.push(onDisconnect(finish));
  });

/** Resolves when the client has read what was written, or disconnected. */
export const untilDrained = (exchange: Pick<Exchange, "response" | "onDisconnect">): Promise<void> =>
  waitWithClient(exchange, (finish) => {
    const { response } = exchange;
    response.once("drain", finish);
    return () => void response.off("drain", finish);
  });

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

/** Sends keep-alive comments in a stream while upstream is silent, so that no proxy closes the connection. */
export type KeepAlive = {
  /** Part of the response is sent: restarts the idle timer. */
  readonly touch: () => void;
  readonly stop: () => void;
};
