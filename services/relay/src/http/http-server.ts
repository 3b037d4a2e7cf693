import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import type { Logger } from "@turnpike/shared/log/log";
import { tagRequest } from "@turnpike/shared/telemetry/tracing";
import { createExchange, type Exchange, sendJson } from "../core/call/exchange.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { inFlight } from "../core/telemetry/relay-metrics.ts";
import { createErrorResponder, getErrorWriter } from "./error-responses.ts";
import type { ServeRoute } from "./routes/route-handlers.ts";
import { findOtherPath, findRoute } from "./routes/route-table.ts";
import { logCall } from "./server/call-log.ts";
import { allowAllOrigins, sendPreflight } from "./server/cors.ts";
import { toNestingError } from "./server/request-body.ts";
import { drainRequestBody } from "./server/request-drain.ts";
import { copyQueryToHeaders, getPath } from "./server/request-url.ts";
import { disconnectSlowReaders } from "./server/slow-readers.ts";

type Deps = {
  readonly serveRoute: ServeRoute;
  /** How long a client may read nothing of what waits for it. */
  readonly sendTimeoutMs: number;
  readonly log: Logger;
};

/** Other upgrades (cleartext HTTP/2) are optional and ignored. */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket";

/** Requests by which clients and load balancers test an address; Claude Code sends `HEAD /`. */
const isProbe = (method: string, path: string): boolean =>
  (method === "GET" || method === "HEAD") && (path === "/" || path === "/health");

const sendHealth = async (exchange: Exchange): Promise<void> => sendJson(exchange, 200, '{"status":"ok"}');

/** The public model API over HTTP. */
export function createHttpServer({ serveRoute, sendTimeoutMs, log }: Deps): Server {
  const sendError = createErrorResponder(log);

  const serve = (request: IncomingMessage, exchange: Exchange, path: string): Promise<void> => {
    const route = findRoute(request.method ?? "", path);
    if (route) return serveRoute(request, exchange, path, route);
    if (isProbe(request.method ?? "", path)) return sendHealth(exchange);
    const other = findOtherPath(request.method ?? "", path);
    if (other !== undefined) return serve(request, exchange, other);
    throw new RelayError("not_found", `Invalid URL (${request.method ?? ""} ${path})`);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = createExchange(response, newRequestId());
    tagRequest(exchange.requestId);
    const path = getPath(request);
    exchange.sendError = (to, error) => sendError(to, toNestingError(error), getErrorWriter(path, request.headers));
    logCall(log, exchange, request.method, path);
    if (request.headers.origin !== undefined) allowAllOrigins(response);
    // Anthropic's clients read the request id from this header.
    if (request.headers["anthropic-version"] !== undefined) response.setHeader("request-id", exchange.requestId);
    if (request.method === "OPTIONS") return sendPreflight(request, response, exchange.requestId);
    inFlight.calls++;
    inFlight.begun++;
    try {
      if (request.url?.includes("?")) copyQueryToHeaders(request);
      await serve(request, exchange, path);
    } catch (error) {
      exchange.sendError(exchange, error);
      drainRequestBody(request, response);
    } finally {
      inFlight.calls--;
    }
  };

  const server = createServer(
    { keepAliveTimeout: 65_000, noDelay: true, requestTimeout: 300_000, shouldUpgradeCallback: isWebSocket },
    (request, response) => void handle(request, response),
  );
  disconnectSlowReaders(server, { limitMs: sendTimeoutMs, log });
  return server;
}

/** Listens so that several processes can share the port; the kernel distributes connections over them. */
export function listenShared(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, reusePort: port !== 0, backlog: 4_096 }, () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : port);
    });
  });
}
