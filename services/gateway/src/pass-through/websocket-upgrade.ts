import { type ClientRequest, type IncomingMessage, request as startRequest, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { MODEL_API_PATHS } from "@turnpike/contract/api/models/model-api-paths";
import type { Logger } from "@turnpike/shared/log/log";
import type { RequestContext } from "../http/request-context.ts";
import { toCallerHeaders, toRelayHeaders } from "./headers.ts";
import { EndableFrames, lastFrames } from "./message-ends.ts";
import { GATEWAY_STOPPING, relayErrorBody, RELAY_UNAVAILABLE } from "./pass-through-errors.ts";

type Deps = {
  readonly host: string;
  readonly port: string;
  readonly getProof: (address: string) => string;
  readonly boundConnecting: (relayed: ClientRequest) => void;
  readonly warn: (log: Logger, error: Error, problem: string) => void;
};

const WEBSOCKET = { connection: "Upgrade", upgrade: "websocket" } as const;

/**
 * The head of a response as written to a raw connection. Node's parser read the header values, so none contains a line
 * break.
 */
function writeHead(relayResponse: IncomingMessage, extra: Readonly<Record<string, string>>): string {
  const lines = [`HTTP/1.1 ${relayResponse.statusCode ?? 502} ${relayResponse.statusMessage ?? ""}`];
  for (const [name, value] of Object.entries({ ...toCallerHeaders(relayResponse), ...extra })) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) lines.push(`${name}: ${one}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function refuse(socket: Duplex, requestId: string): void {
  const body = relayErrorBody(RELAY_UNAVAILABLE, requestId);
  const { status } = RELAY_UNAVAILABLE;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "retry-after: 1",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** RFC 6455's registry: the server restarts, so that the client may connect again. */
const SERVICE_RESTART = 1012;

/** How a WebSocket that outlives the grace period ends: an error in the format of its API, and a close frame. */
function getLastFrames(path: string, requestId: string): Buffer {
  const { status, code, message: text } = GATEWAY_STOPPING;
  const error = { type: "turnpike_error", code, message: `${text} (request id: ${requestId})`, param: null };
  const event = path.split("?")[0]?.endsWith(MODEL_API_PATHS.realtime)
    ? { type: "error", event_id: `evt_${requestId}`, error: { ...error, event_id: null } }
    : { type: "error", status, error };
  return lastFrames(JSON.stringify(event), SERVICE_RESTART);
}

/** Pipes two connections into each other until either ends, with backpressure; the relay's frames through `frames`. */
function join(client: Duplex, relay: Duplex, frames: EndableFrames): void {
  client.pipe(relay);
  relay.pipe(frames).pipe(client);
  for (const [socket, peer] of [
    [client, relay],
    [relay, client],
  ] as const) {
    socket.on("error", () => socket.destroy());
    socket.once("close", () => peer.destroy());
  }
}

/**
 * Passes WebSocket upgrades to the relay: the handshake with the client's address as the gateway sees it, then bytes in
 * both directions. A refusal of the relay is returned unchanged.
 */
export function createUpgradePassThrough({ host, port, getProof, boundConnecting, warn }: Deps) {
  const open = new Set<Duplex>();
  const ends = new Set<() => void>();
  let isEnding = false;
  const endWhenStopping = (socket: Duplex, end: () => void): void => {
    if (isEnding) return end();
    ends.add(end);
    socket.once("close", () => ends.delete(end));
  };
  return {
    pass(request: IncomingMessage, socket: Duplex, head: Buffer, facts: RequestContext): void {
      const { address } = facts;
      const headers = { ...toRelayHeaders(request, { address, proof: getProof(address) }), ...WEBSOCKET };
      open.add(socket);
      socket.once("close", () => open.delete(socket)).on("error", () => socket.destroy());
      const relayed = startRequest({ host, port, method: "GET", path: request.url ?? "/", headers, agent: false });
      boundConnecting(relayed);
      socket.once("close", () => relayed.destroy());
      let hasResponse = false;
      relayed.once("upgrade", (relayResponse, relaySocket, relayHead) => {
        hasResponse = true;
        socket.write(writeHead(relayResponse, WEBSOCKET));
        const frames = new EndableFrames();
        if (relayHead.length > 0) frames.write(relayHead);
        if (head.length > 0) relaySocket.write(head);
        join(socket, relaySocket, frames);
        endWhenStopping(socket, () => frames.endWith(getLastFrames(request.url ?? "/", facts.requestId)));
      });
      relayed.once("response", (relayResponse) => {
        hasResponse = true;
        socket.write(writeHead(relayResponse, { connection: "close" }));
        relayResponse.pipe(socket);
      });
      relayed.on("error", (error) => {
        if (socket.destroyed || hasResponse) return void socket.destroy();
        warn(facts.log, error, RELAY_UNAVAILABLE.code);
        refuse(socket, facts.requestId);
      });
      relayed.end();
    },
    /** Ends each WebSocket after the message that is being passed on. The client's close frame ends it at the relay. */
    endAll(): void {
      isEnding = true;
      for (const end of ends) end();
    },
    /** Closes connections that are still open: a server that stops waits for no other party. */
    cut: (): void => open.forEach((socket) => socket.destroy()),
  };
}
