import type { IncomingMessage } from "node:http";
import { type ClientOptions, WebSocket } from "ws";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { Endpoint, Provider } from "../../providers/contract/provider.ts";
import { createNoResponseError, toUpstreamError } from "../../upstream/upstream-errors.ts";
import { openTunnel } from "../../upstream/tunnel.ts";

/** The maximum audio in one frame is 15 MB; written in base64. */
export const FRAME_BYTES_MAX = 24 * 1024 * 1024;
const REFUSAL_BYTES_MAX = 64 * 1024;
const PROTOCOL = "realtime";

type Asked = {
  readonly place: Endpoint;
  readonly provider: Provider;
  readonly statusCodeMapping: Readonly<Record<string, string>>;
  /** The proxy, if the connection is not direct. */
  readonly proxy: string | undefined;
  readonly connectMs: number;
  readonly nowMs: number;
  /** Runs its argument if the client disconnects meanwhile. */
  readonly onDisconnect: (run: () => void) => void;
};

function readRefusal(response: IncomingMessage, asked: Asked): Promise<RelayError> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (): void => {
      const answer = { status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks) };
      const { provider, statusCodeMapping, nowMs } = asked;
      resolve(toUpstreamError({ answer, provider, statusCodeMapping, nowMs }));
    };
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= REFUSAL_BYTES_MAX) chunks.push(chunk);
    });
    response.once("end", finish).once("error", finish);
  });
}

/** The options for the channel's proxy; a channel whose proxy fails is never connected directly. */
async function throughProxy({ place, proxy, connectMs }: Asked): Promise<ClientOptions> {
  if (proxy === undefined) return {};
  const socket = await openTunnel(place.url, proxy, connectMs);
  return { createConnection: () => socket };
}

/**
 * Opens a Realtime session upstream. Resolves with a paused socket, so that nothing is lost before a listener is
 * attached; rejects with the RelayError of a refusal (upstream's status and text), of a timeout, or of a client
 * disconnect.
 */
export async function openUpstream(asked: Asked): Promise<WebSocket> {
  const way = await throughProxy(asked).catch((error: Error) => {
    throw createNoResponseError(error);
  });
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(asked.place.url, [PROTOCOL], {
      ...way,
      headers: asked.place.headers,
      handshakeTimeout: asked.connectMs,
      perMessageDeflate: false,
      maxPayload: FRAME_BYTES_MAX,
    });
    // An abandoned socket may still emit an error, which is ignored.
    const giveUp = (error: RelayError): void => {
      socket.removeAllListeners().on("error", () => undefined);
      socket.terminate();
      reject(error);
    };
    socket.once("upgrade", () => socket.pause());
    socket.once("open", () => {
      socket.removeAllListeners();
      socket.pause();
      resolve(socket);
    });
    socket.once("unexpected-response", (_, response) => void readRefusal(response, asked).then(giveUp));
    socket.once("error", (error) => giveUp(createNoResponseError(error)));
    asked.onDisconnect(() => giveUp(createNoResponseError(new Error("the client disconnected"))));
  });
}
