import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { RelayError } from "../../core/errors/relay-error.ts";

/** A caller who requested a WebSocket that is not open yet. */
export type UpgradeRequest = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

/** Completes a valid handshake; undefined if the client disconnected meanwhile. */
export type CompleteHandshake = () => Promise<WebSocket | undefined>;

type Pending = {
  readonly requestId: string;
  readonly accept: (response: (isAccepted: boolean) => void) => void;
  readonly reject: (error: RelayError) => void;
};

/** The largest frame of a caller, and the subprotocol that is accepted; browsers need one, other clients send none. */
type Terms = { readonly frameBytesMax: number; readonly protocol?: string };

/**
 * Begins WebSocket handshakes with callers: resolves once the request is a valid handshake (method, version, key,
 * subprotocols), rejects with invalid_request otherwise. The response, which carries the request id like all responses,
 * is sent when the handshake is completed.
 */
export function createHandshake({ frameBytesMax, protocol }: Terms) {
  const pending = new WeakMap<IncomingMessage, Pending>();
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: frameBytesMax,
    handleProtocols: (offered) => (protocol !== undefined && offered.has(protocol) ? protocol : false),
    verifyClient: ({ req }: { req: IncomingMessage }, response: (isAccepted: boolean) => void) =>
      pending.get(req)?.accept(response),
  });
  server.on("headers", (headers, request) => headers.push(`x-request-id: ${pending.get(request)?.requestId ?? ""}`));
  server.on("wsClientError", (error, _, request) =>
    pending
      .get(request)
      ?.reject(new RelayError("invalid_request", `the WebSocket handshake is invalid: ${error.message}`)),
  );
  return function beginHandshake(
    { request, socket, head }: UpgradeRequest,
    requestId: string,
  ): Promise<CompleteHandshake> {
    const opened = Promise.withResolvers<WebSocket | undefined>();
    socket.once("close", () => opened.resolve(undefined));
    return new Promise((resolve, reject) => {
      const accept: Pending["accept"] = (response) =>
        resolve(() => {
          if (socket.destroyed) opened.resolve(undefined);
          else response(true);
          return opened.promise;
        });
      pending.set(request, { requestId, accept, reject });
      server.handleUpgrade(request, socket, head, opened.resolve);
    });
  };
}
