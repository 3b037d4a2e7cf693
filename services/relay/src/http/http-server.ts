import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import type { Logger } from "@turnpike/shared/log/log";
import { statusClass } from "@turnpike/shared/telemetry/http-metrics";
import { tagRequest } from "@turnpike/shared/telemetry/tracing";
import type { Admit } from "../admission/admission.ts";
import { readRelayCall } from "../pipeline/prepare/call-reader.ts";
import { API_VERSION, type RelayCall } from "../core/call/relay-call.ts";
import { createExchange, type Exchange, sendJson } from "../core/call/exchange.ts";
import { type Form, parseForm } from "../core/call/multipart.ts";
import { yieldToEventLoop } from "../core/call/event-loop.ts";
import type { HandleCall } from "../core/call/exchange.ts";
import type { Dialect } from "../core/call/dialect.ts";
import { geminiGenerate } from "../dialects/gemini-generate/gemini-generate.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { Tokenizer } from "../accounting/tokens/tokenizer.ts";
import { inFlight } from "../core/telemetry/relay-metrics.ts";
import { callEnded, watchCall } from "../core/telemetry/call-metrics.ts";
import { type ModelListForm, listModels, writeModel, writeModelList } from "./routes/model-list.ts";
import type { RoutingTable } from "../routing/routing-table.ts";
import type { AuxiliaryRoutes } from "./routes/auxiliary-routes.ts";
import { logCall } from "./server/call-log.ts";
import { countTokens, readCount } from "./routes/token-counts.ts";
import { createErrorResponder, getErrorWriter } from "./error-responses.ts";
import { asksEvents, writeAsArray } from "./server/json-array.ts";
import { drainRequestBody } from "./server/request-drain.ts";
import { readBody, readBytes } from "./server/request-body.ts";
import {
  findCountRoute,
  decodeName,
  isUnimplemented,
  ROUTES,
  type Route,
  findModelRoute,
} from "./routes/route-table.ts";

type Deps = {
  readonly admit: Admit;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly handleCall: HandleCall;
  readonly table: () => RoutingTable;
  readonly tokenizer: Tokenizer;
  readonly beside: AuxiliaryRoutes;
  /** Throws for callers that the site refuses by their Origin. */
  readonly checkOrigin: (headers: IncomingHttpHeaders) => void;
  readonly bodyBytesMax: number;
  readonly now: () => number;
  readonly log: Logger;
};

/** Bodies from this size on take milliseconds each to parse and send; the event loop runs in between. */
const LARGE_CHARACTERS = 256 * 1024;
const MODEL_PATH = /^\/(v1|v1beta)\/models(?:\/(.+))?$/;
/**
 * What pages of other origins may send (CORS). "*" would exclude Authorization, so the requested headers are listed.
 */
const answerPreflight = (request: IncomingMessage, response: ServerResponse, requestId: string): void => {
  response.writeHead(204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
    "access-control-max-age": "86400",
    "x-request-id": requestId,
  });
  response.end();
};

/** Response headers that pages of other origins may read. */
const openToPages = (response: ServerResponse): void => {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", "*");
};

/** Google's clients use `v1` as well; they are recognized by where they send their key. */
function listFormOf(version: string, { headers }: IncomingMessage): ModelListForm {
  if (version === "v1beta" || headers["x-goog-api-key"] !== undefined) return "google";
  return headers["anthropic-version"] === undefined ? "openai" : "anthropic";
}

function notAllowed({ method = "" }: IncomingMessage, { response }: Exchange): RelayError {
  response.setHeader("allow", "POST");
  return new RelayError("method_not_allowed", `${method} is not allowed here`);
}

/** A trailing slash is ignored. */
function pathOf({ url = "/" }: IncomingMessage): string {
  const path = url.split("?", 1)[0] ?? "/";
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

const modelsAskedBy = ({ method }: IncomingMessage, path: string): RegExpExecArray | null =>
  method === "GET" || method === "HEAD" ? MODEL_PATH.exec(path) : null;

/** A body nested so deeply that processing overflows the stack is the caller's error, wherever it happened. */
const blameNesting = (error: unknown): unknown =>
  error instanceof RangeError && error.message.includes("call stack")
    ? new RelayError("invalid_request", "the request body is nested too deeply", { cause: error })
    : error;

const isForm = ({ endpoint }: Dialect, { headers }: IncomingMessage): boolean =>
  endpoint?.takesForm === true && /^multipart\/form-data/i.test(headers["content-type"] ?? "");

const readForm = async (request: IncomingMessage, bytesMax: number): Promise<Form> =>
  parseForm(await readBytes(request, bytesMax), request.headers["content-type"] ?? "");

/**
 * Google callers may send their key in the query, where it takes precedence over a header; Azure's and iFlytek's
 * callers send the API version there.
 */
function takeQuery({ url = "", headers }: IncomingMessage): void {
  const query = new URLSearchParams(url.slice(url.indexOf("?")));
  const key = query.get("key");
  if (key !== null && /\/models|\/v1beta\//.test(url)) headers["x-goog-api-key"] = key;
  const version = query.get("api-version");
  if (version !== null) headers[API_VERSION] ??= version;
}

/** Google streams a JSON array unless its callers request events. */
const isArrayAsked = ({ dialect, facts }: Route, { url = "" }: IncomingMessage): boolean =>
  dialect === geminiGenerate && facts?.stream === true && !asksEvents(url);

/** Other upgrades (cleartext HTTP/2) are optional and ignored. */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === "websocket";

/** The public model API over HTTP. Routing takes a few comparisons, because every call passes here. */
export function createHttpServer(deps: Deps): Server {
  const answerError = createErrorResponder(deps.log);

  const serveModels = async (
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    match: RegExpExecArray,
  ): Promise<void> => {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const form = listFormOf(match[1] ?? "", request);
    const models = listModels(caller, deps.table());
    const id = match[2] === undefined ? undefined : decodeName(match[2]);
    sendJson(
      exchange,
      200,
      JSON.stringify(id === undefined ? writeModelList(models, form) : writeModel(models, id, form)),
    );
  };
  const serveDialect = async (
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    { dialect, facts }: Route,
  ): Promise<void> => {
    const startedAtMs = deps.now();
    const watch = watchCall();
    let call: RelayCall | undefined;
    try {
      if (request.headers.origin !== undefined && !dialect.endpoint) deps.checkOrigin(request.headers);
      const address = deps.clientAddress(request);
      // Before the body is read, so that an invalid key costs as little as possible.
      const admission = deps.admit(request.headers, path, address);
      const admitted = admission instanceof Promise ? await admission : admission;
      const form = isForm(dialect, request) ? await readForm(request, deps.bodyBytesMax) : undefined;
      const bodyText = form ? "" : await readBody(request, deps.bodyBytesMax);
      const isLarge = bodyText.length >= LARGE_CHARACTERS;
      if (isLarge) await yieldToEventLoop();
      call = readRelayCall({
        requestId: exchange.requestId,
        startedAtMs,
        address,
        admitted,
        dialect,
        headers: request.headers,
        bodyText,
        ...(form === undefined ? {} : { form }),
        ...(facts === undefined ? {} : { path: facts }),
        watch,
      });
      if (isLarge) await yieldToEventLoop();
      await deps.handleCall(call, exchange);
      callEnded(dialect.name, call, watch, "2xx");
    } catch (thrown) {
      const error = blameNesting(thrown);
      callEnded(dialect.name, call, watch, statusClass(error instanceof RelayError ? error.status : 500));
      throw error;
    }
  };
  const serveCount = async (
    request: IncomingMessage,
    exchange: Exchange,
    path: string,
    asked: NonNullable<ReturnType<typeof findCountRoute>>,
  ): Promise<void> => {
    const { caller } = await deps.admit(request.headers, path, deps.clientAddress(request));
    const counted = readCount(await readBody(request, deps.bodyBytesMax), asked.form, asked.model);
    if (!listModels(caller, deps.table()).includes(counted.model))
      throw new RelayError("model_not_found", `the model ${counted.model} does not exist`, { param: "model" });
    sendJson(exchange, 200, JSON.stringify(await countTokens(counted, asked.form, deps.tokenizer)));
  };
  /** Only callers with a valid key learn that a path does not exist. */
  const refuseUnimplemented = async (request: IncomingMessage, path: string): Promise<never> => {
    await deps.admit(request.headers, path, deps.clientAddress(request));
    throw new RelayError("api_not_implemented", `${request.method ?? ""} ${path} is not supported by this gateway`);
  };
  const route = (request: IncomingMessage, exchange: Exchange, path: string): Promise<void> => {
    const spoken = ROUTES[path];
    if (spoken && request.method === "POST") return serveDialect(request, exchange, path, spoken);
    if (spoken) throw notAllowed(request, exchange);
    const named = request.method === "POST" ? findModelRoute(path) : undefined;
    if (named) {
      if (isArrayAsked(named, request)) writeAsArray(exchange.response);
      return serveDialect(request, exchange, path, named);
    }
    const count = request.method === "POST" ? findCountRoute(path) : undefined;
    if (count) return serveCount(request, exchange, path, count);
    const models = modelsAskedBy(request, path);
    if (models) return serveModels(request, exchange, path, models);
    if (path.startsWith("/hf/v1/")) return route(request, exchange, path.slice("/hf".length));
    const beside = deps.beside(request, exchange, path);
    if (beside) return beside;
    if (isUnimplemented(request.method ?? "", path)) return refuseUnimplemented(request, path);
    throw new RelayError("not_found", `Invalid URL (${request.method ?? ""} ${path})`);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = createExchange(response, newRequestId());
    tagRequest(exchange.requestId);
    const path = pathOf(request);
    logCall(deps.log, exchange, request.method, path);
    if (request.url?.includes("?")) takeQuery(request);
    if (request.headers.origin !== undefined) openToPages(response);
    // Anthropic's clients read the request id from this header.
    if (request.headers["anthropic-version"] !== undefined) response.setHeader("request-id", exchange.requestId);
    if (request.method === "OPTIONS") return answerPreflight(request, response, exchange.requestId);
    inFlight.calls++;
    inFlight.begun++;
    try {
      await route(request, exchange, path);
    } catch (error) {
      answerError(exchange, blameNesting(error), getErrorWriter(path, request.headers));
      drainRequestBody(request, response);
    } finally {
      inFlight.calls--;
    }
  };

  const server = createServer(
    { keepAliveTimeout: 65_000, noDelay: true, requestTimeout: 300_000, shouldUpgradeCallback: isWebSocket },
    (request, response) => {
      void handle(request, response);
    },
  );
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
