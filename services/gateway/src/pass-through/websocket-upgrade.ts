import { type ClientRequest, type IncomingMessage, request as startRequest, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@turnpike/shared/log/log";
import type { RequestContext } from "../http/request-context.ts";
import { toCallerHeaders, toRelayHeaders } from "./headers.ts";
import { relayErrorBody, RELAY_AWAY } from "./relay-error.ts";

type Deps = {
  readonly host: string;
  readonly port: string;
  readonly getProof: (address: string) => string;
  readonly boundConnecting: (relayed: ClientRequest) => void;
  readonly warn: (log: Logger, error: Error, problem: string) => void;
};

const WEBSOCKET = { connection: "Upgrade", upgrade: "websocket" } as const;

/** The head of an answer as it goes onto a bare connection. Header values were read by Node's parser, so none holds a line's end. */
function writeHead(answer: IncomingMessage, extra: Readonly<Record<string, string>>): string {
  const lines = [`HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ""}`];
  for (const [name, value] of Object.entries({ ...toCallerHeaders(answer), ...extra })) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) lines.push(`${name}: ${one}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n`;
}

function refuse(socket: Duplex, requestId: string): void {
  const body = relayErrorBody(RELAY_AWAY, requestId);
  const { status } = RELAY_AWAY;
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

/** Pipes two connections into each other until either ends, with backpressure. */
function join(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on("error", () => socket.destroy());
    socket.once("close", () => peer.destroy());
  }
}

/**
 * Passes connections that turn into WebSockets to the relay: the handshake with the caller's address in our word, then bytes both ways.
 * A refusal of the relay goes back as it is.
 */
export function createUpgradePassThrough({ host, port, getProof, boundConnecting, warn }: Deps) {
  const open = new Set<Duplex>();
  return {
    pass(request: IncomingMessage, socket: Duplex, head: Buffer, facts: RequestContext): void {
      const { address } = facts;
      const headers = { ...toRelayHeaders(request, { address, proof: getProof(address) }), ...WEBSOCKET };
      open.add(socket);
      socket.once("close", () => open.delete(socket)).on("error", () => socket.destroy());
      const relayed = startRequest({ host, port, method: "GET", path: request.url ?? "/", headers, agent: false });
      boundConnecting(relayed);
      socket.once("close", () => relayed.destroy());
      let isAnswered = false;
      relayed.once("upgrade", (answer, relaySocket, relayHead) => {
        isAnswered = true;
        socket.write(writeHead(answer, WEBSOCKET));
        if (relayHead.length > 0) socket.write(relayHead);
        if (head.length > 0) relaySocket.write(head);
        join(socket, relaySocket);
      });
      relayed.once("response", (answer) => {
        isAnswered = true;
        socket.write(writeHead(answer, { connection: "close" }));
        answer.pipe(socket);
      });
      relayed.on("error", (error) => {
        if (socket.destroyed || isAnswered) return void socket.destroy();
        warn(facts.log, error, RELAY_AWAY.code);
        refuse(socket, facts.requestId);
      });
      relayed.end();
    },
    /** Ends what is still open: a server that stops waits for nobody else. */
    cut: (): void => open.forEach((socket) => socket.destroy()),
  };
}
