import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as startRequest,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@turnpike/shared/log/log";
import { makePlaygroundProof } from "@turnpike/shared/crypto/playground-proof";
import type { RequestContext } from "../http/request-context.ts";
import { createProofMaker, toCallerHeaders, toRelayHeaders } from "./headers.ts";
import { createUpgradePassThrough } from "./websocket-upgrade.ts";
import { sendRelayError, NOT_PASSABLE, RELAY_AWAY, RELAY_BROKE_OFF } from "./relay-error.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const OUTAGE_LOG_MS = 1_000;
const NOT_THERE = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

const getErrorCode = (error: Error): string => ("code" in error ? String(error.code) : "");

/** Limits only the connection time: the relay limits the duration of a response. */
function boundConnecting(relayed: ClientRequest): void {
  relayed.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      relayed.destroy(Object.assign(new Error("no connection in time"), { code: "ETIMEDOUT" }));
    }, CONNECT_TIMEOUT_MS);
    const stop = (): void => clearTimeout(timer);
    socket.once("connect", stop).once("close", stop);
  });
}

function sendAnswer(answer: IncomingMessage, response: ServerResponse, facts: RequestContext): void {
  response.writeHead(answer.statusCode ?? 502, { "x-request-id": facts.requestId, ...toCallerHeaders(answer) });
  // The headers of a stream must not wait for its first frame.
  if (String(answer.headers["content-type"]).startsWith("text/event-stream")) response.flushHeaders();
  answer.once("error", (error) => {
    facts.log.debug({ err: error }, "passed-through response aborted");
    response.destroy();
  });
  answer.pipe(response);
}

/** Logs relay failures, once a second at most: a relay that is down fails every call. */
function createOutageLog() {
  let saidAtMs = 0;
  return (log: Logger, error: Error, problem: string): void => {
    if (Date.now() - saidAtMs < OUTAGE_LOG_MS) return;
    saidAtMs = Date.now();
    log.warn({ problem, reason: error.message }, "relay calls failing");
  };
}

export type PassThrough = {
  /** `userId`: whose playground the call comes from. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, facts: RequestContext, userId?: number) => void;
  /** The same for connections that turn into WebSockets. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, facts: RequestContext) => void;
  /** Ends the WebSockets that are still open. */
  readonly cutUpgrades: () => void;
  readonly close: () => void;
};

/**
 * Pipes calls of the public model API to the relay and its responses back, frame by frame and with backpressure both
 * ways. When the client disconnects, the call at the relay is aborted; a response that the relay aborts is aborted
 * here, and never looks complete.
 */
export function createPassThrough(deps: { relayAddress: string; internalSecret: string }): PassThrough {
  const { hostname, port } = new URL(`http://${deps.relayAddress}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const warn = createOutageLog();
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 512, scheduling: "lifo" });
  const getProof = createProofMaker(deps.internalSecret);
  const upgrades = createUpgradePassThrough({ host, port, getProof, boundConnecting, warn });
  const findUserId = (userId: number | undefined): { person?: string } =>
    userId === undefined
      ? {}
      : { person: makePlaygroundProof(deps.internalSecret, userId, Math.floor(Date.now() / 1000)) };
  const start = (request: IncomingMessage, facts: RequestContext, userId?: number): ClientRequest | undefined => {
    const { method, url: path = "/" } = request;
    const { address } = facts;
    const options = { address, proof: getProof(address), ...findUserId(userId) };
    try {
      return startRequest({ agent, host, port, method, path, headers: toRelayHeaders(request, options) });
    } catch (error) {
      // Node reads some bytes that it refuses to write.
      facts.log.info({ err: error }, "request cannot be passed through");
      return undefined;
    }
  };
  return {
    upgrade: upgrades.pass,
    handle(request, response, facts, userId) {
      const relayed = start(request, facts, userId);
      if (!relayed) return sendRelayError(response, NOT_PASSABLE, facts.requestId);
      boundConnecting(relayed);
      response.once("close", () => {
        if (!response.writableFinished) relayed.destroy();
      });
      relayed.once("response", (answer) => sendAnswer(answer, response, facts));
      relayed.on("error", (error) => {
        // Once a response has begun, its own stream shows whether it is complete.
        if (response.headersSent || response.destroyed) return;
        const problem = NOT_THERE.has(getErrorCode(error)) ? RELAY_AWAY : RELAY_BROKE_OFF;
        warn(facts.log, error, problem.code);
        request.unpipe(relayed);
        sendRelayError(response, problem, facts.requestId);
      });
      request.pipe(relayed);
    },
    cutUpgrades: upgrades.cut,
    close: () => agent.destroy(),
  };
}
