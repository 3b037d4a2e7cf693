import type { IncomingMessage } from "node:http";
import { type ClientOptions, WebSocket } from "ws";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { Endpoint, Provider } from "../../providers/contract/provider.ts";
import { createNoResponseError, toUpstreamError } from "../../upstream/upstream-errors.ts";
import { openTunnel } from "../../upstream/tunnel.ts";

/** The maximum audio in one frame is 15 MB; written in base64. */
export const FRAME_BYTES_MAX = 24 * 1024 * 1024;
const REFUSAL_BYTES_MAX = 64 * 1024;
/** The subprotocol of Realtime sessions, on both sides. */
export const REALTIME_PROTOCOL = "realtime";

type Requested = {
  readonly place: Endpoint;
  readonly provider: Provider;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  /** The proxy, if the connection is not direct. */
  readonly proxy: string | undefined;
  readonly connectMs: number;
  readonly nowMs: number;
  /** Runs its argument if the client disconnects; returns the function that ends this. */
  readonly onDisconnect: (run: () => void) => () => void;
};

function readRefusal(response: IncomingMessage, requested: Requested): Promise<RelayError> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      const result = { status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks) };
      const { provider, statusCodeMapping, nowMs } = requested;
      resolve(toUpstreamError({ response: result, provider, statusCodeMapping, nowMs }));
    };
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= REFUSAL_BYTES_MAX) chunks.push(chunk);
    });
    response.once("end", finish).once("error", finish);
  });
}

/** The options for the channel's proxy; a channel whose proxy fails is never connected directly. */
async function throughProxy({ place, proxy, connectMs }: Requested): Promise<ClientOptions> {
  if (proxy === undefined) return {};
  const socket = await openTunnel(place.url, proxy, connectMs);
  return { createConnection: () => socket };
}

/**
 * Opens a Realtime session upstream. Resolves with a paused socket, so that nothing is lost before a listener is
 * attached; rejects with the RelayError of a refusal (upstream's status and text), of a timeout, or of a client
 * disconnect.
 */
export async function openUpstream(requested: Requested): Promise<WebSocket> {
  const way = await throughProxy(requested).catch((error: Error) => {
    throw createNoResponseError(error);
  });
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(requested.place.url, [REALTIME_PROTOCOL], {
      ...way,
      headers: requested.place.headers,
      handshakeTimeout: requested.connectMs,
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES_MAX,
    });
    // The session itself decides what a later disconnect means.
    let stopListening = (): void => undefined;
    // An abandoned socket may still emit an error, which is ignored.
    const giveUp = (error: RelayError): void => {
      stopListening();
      socket.removeAllListeners().on("error", () => undefined);
      socket.terminate();
      reject(error);
    };
    socket.once("upgrade", () => socket.pause());
    socket.once("open", () => {
      stopListening();
      socket.removeAllListeners();
      socket.pause();
      resolve(socket);
    });
    socket.once("unexpected-response", (_, response) => void readRefusal(response, requested).then(giveUp));
    socket.once("error", (error) => giveUp(createNoResponseError(error)));
    stopListening = requested.onDisconnect(() => giveUp(createNoResponseError(new Error("the client disconnected"))));
  });
}
