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
import { getOrigin } from "../http/security/site-origin.ts";
import { createProofMaker, toCallerHeaders, toRelayHeaders } from "./headers.ts";
import { OpenStreams } from "./open-streams.ts";
import { createUpgradePassThrough } from "./websocket-upgrade.ts";
import { sendRelayError, NOT_PASSABLE, RELAY_UNAVAILABLE, RELAY_BROKE_OFF } from "./pass-through-errors.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const OUTAGE_LOG_MS = 1_000;
const NOT_THERE = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"]);

const getErrorCode = (error: Error): string => ("code" in error ? String(error.code) : "");

/** Limits the connection time only: the relay limits the duration of a response. */
function boundConnecting(relayed: ClientRequest): void {
  relayed.once("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => {
      relayed.destroy(Object.assign(new Error("no connection within the time limit"), { code: "ETIMEDOUT" }));
    }, CONNECT_TIMEOUT_MS);
    const stop = (): void => clearTimeout(timer);
    socket.once("connect", stop).once("close", stop);
  });
}

/** Passes on what the relay reports after a stream. */
function sendTrailers({ trailers }: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(trailers))
    if (value !== undefined) response.addTrailers({ [name]: value });
}

type Passed = {
  readonly request: IncomingMessage;
  readonly relayResponse: IncomingMessage;
  readonly response: ServerResponse;
  readonly facts: RequestContext;
};

function sendResponse({ request, relayResponse, response, facts }: Passed, streams: OpenStreams): void {
  const { trailer } = relayResponse.headers;
  response.writeHead(relayResponse.statusCode ?? 502, {
    "x-request-id": facts.requestId,
    ...toCallerHeaders(relayResponse),
    ...(trailer !== undefined && response.useChunkedEncodingByDefault ? { trailer } : {}),
  });
  if (trailer !== undefined) relayResponse.once("end", () => sendTrailers(relayResponse, response));
  const isEventStream = String(relayResponse.headers["content-type"]).startsWith("text/event-stream");
  // The headers of a stream must not wait for its first frame.
  if (isEventStream) response.flushHeaders();
  relayResponse.once("error", (error) => {
    facts.log.debug({ err: error }, "passed-through response aborted");
    response.destroy();
  });
  relayResponse.pipe(response);
  // After the pipe, so that a chunk is on its way when the stream ends behind it.
  if (isEventStream) {
    const path = new URL(request.url ?? "/", "http://gateway").pathname;
    streams.add(relayResponse, response, { path, requestId: facts.requestId });
  }
}

/** Logs relay failures, once a second at most: a relay that is down fails every call. */
function createOutageLog() {
  let loggedAtMs = 0;
  return (log: Logger, error: Error, problem: string): void => {
    if (Date.now() - loggedAtMs < OUTAGE_LOG_MS) return;
    loggedAtMs = Date.now();
    log.warn({ problem, reason: error.message }, "relay unavailable");
  };
}

export type PassThrough = {
  /** `userId`: the user whose playground the call comes from. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, facts: RequestContext, userId?: number) => void;
  /** The same for connections that become WebSockets. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer, facts: RequestContext) => void;
  /** Ends the event streams and WebSockets that are still open with an error event. */
  readonly endStreams: () => void;
  /** Closes the WebSockets that are still open. */
  readonly cutUpgrades: () => void;
  readonly close: () => void;
};

/**
 * Pipes calls of the public model API to the relay and its responses back, frame by frame and with backpressure both
 * ways. When the client disconnects, the call at the relay is aborted; a response that the relay aborts is aborted
 * here, and never appears complete.
 */
export function createPassThrough(deps: { relayAddress: string; internalSecret: string }): PassThrough {
  const { hostname, port } = new URL(`http://${deps.relayAddress}`);
  const host = hostname.replace(/^\[|\]$/g, "");
  const warn = createOutageLog();
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 512, scheduling: "lifo" });
  const streams = new OpenStreams();
  const getProof = createProofMaker(deps.internalSecret);
  const upgrades = createUpgradePassThrough({ host, port, getProof, boundConnecting, warn });
  const findUserId = (userId: number | undefined): { playgroundUser?: string } =>
    userId === undefined
      ? {}
      : { playgroundUser: makePlaygroundProof(deps.internalSecret, userId, Math.floor(Date.now() / 1000)) };
  const start = (request: IncomingMessage, facts: RequestContext, userId?: number): ClientRequest | undefined => {
    const { method, url: path = "/" } = request;
    const { address, isProxied } = facts;
    const origin = getOrigin(request, isProxied);
    const options = { address, proof: getProof(address), origin, ...findUserId(userId) };
    try {
      return startRequest({ agent, host, port, method, path, headers: toRelayHeaders(request, options) });
    } catch (error) {
      // Node parses some bytes that it refuses to write.
      facts.log.info({ err: error }, "request not passed through");
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
      relayed.once("response", (relayResponse) => sendResponse({ request, relayResponse, response, facts }, streams));
      relayed.on("error", (error) => {
        // Once a response has begun, its own stream shows whether it is complete.
        if (response.headersSent || response.destroyed) return;
        const problem = NOT_THERE.has(getErrorCode(error)) ? RELAY_UNAVAILABLE : RELAY_BROKE_OFF;
        warn(facts.log, error, problem.code);
        request.unpipe(relayed);
        sendRelayError(response, problem, facts.requestId);
      });
      request.pipe(relayed);
    },
    endStreams(): void {
      streams.endAll();
      upgrades.endAll();
    },
    cutUpgrades: upgrades.cut,
    close: () => agent.destroy(),
  };
}
