import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { AppError } from "@turnpike/shared/errors/app-error";
import { getAddressGroup } from "@turnpike/shared/http/address-group";
import type { MemoryRateLimiter } from "@turnpike/shared/rate-limit/memory-rate-limiter";
import type { Logger } from "@turnpike/shared/log/log";
import { tagRequest } from "@turnpike/shared/telemetry/tracing";
import compression from "compression";
import express, { type RequestHandler } from "express";
import type { AddressRange } from "@turnpike/shared/http/address-ranges";
import { toProxyTrust } from "@turnpike/shared/http/client-address";
import { createAuthenticator } from "./http/authenticator.ts";
import { createClientErrorHandler } from "./http/client-error.ts";
import { errorHandler, notFound } from "./http/error-response.ts";
import { getRequestContext, createRequestContext } from "./http/request-context.ts";
import type { Language } from "./http/request-language.ts";
import { logRequest } from "./http/request-log.ts";
import { createRoute } from "./http/route.ts";
import { isFromThisSite } from "./http/security/same-site.ts";
import { securityHeaders } from "./http/security/security-headers.ts";
import { countRequest } from "./metrics.ts";
import type { PassThrough } from "./pass-through/pass-through.ts";
import { createPlaygroundPassThrough } from "./pass-through/playground.ts";
import { isModelApi, isPlayground } from "./pass-through/paths.ts";
import { sendRelayError, CROSS_SITE } from "./pass-through/pass-through-errors.ts";
import { apiRoutes } from "./routes/index.ts";
import { paymentHooks } from "./routes/billing/payment-hooks.ts";
import type { Services } from "./http/services.ts";
import { customFiles } from "./site/custom-files.ts";
import { createSetupState } from "./site/setup-state.ts";
import type { SiteOptions } from "./site/site-options.ts";
import type { ProgramFacts } from "./site/site-status.ts";
import { consoleFiles } from "./site/console-files.ts";

/** Longer than any proxy's keep-alive, so that the gateway never closes a connection in use. */
const KEEP_ALIVE_MS = 75_000;

/** Dependencies of the app. */
export type AppDeps = {
  readonly services: Services;
  readonly options: SiteOptions;
  readonly passThrough: PassThrough;
  readonly limiter: MemoryRateLimiter | undefined;
  readonly log: Logger;
  readonly program: ProgramFacts;
  readonly trustedProxies: readonly AddressRange[];
  readonly webDist: string;
};

const limitCalls =
  (limiter: MemoryRateLimiter): RequestHandler =>
  async (request, _response, next) => {
    const seconds = await limiter.take(getAddressGroup(getRequestContext(request).address));
    if (seconds === undefined) return next();
    throw new AppError("rate_limited", "too many requests from one address", { params: { seconds: String(seconds) } });
  };

/** API responses are personal and change at any moment: no cache may store them. */
const neverStored: RequestHandler = (_request, response, next) => {
  response.setHeader("cache-control", "no-store");
  next();
};

function createConsoleApp(deps: AppDeps): express.Express {
  const { services, options, program } = deps;
  const route = createRoute({
    authenticate: createAuthenticator(services),
    serverAddress: () => options.current().text("ServerAddress"),
  });
  const readSetupState = createSetupState(services);
  const app = express();
  app.disable("x-powered-by").disable("etag");
  const headers = securityHeaders({
    payAddress: () => options.current().text("PayAddress"),
  });
  app.use(headers, compression());
  app.use(
    "/api",
    neverStored,
    deps.limiter ? limitCalls(deps.limiter) : [],
    paymentHooks(services),
    apiRoutes({ services, route, options, readSetupState, program }),
    notFound,
  );
  app.use(customFiles(options), consoleFiles(deps.webDist, options));
  app.use(notFound, errorHandler);
  return app;
}

/**
 * The gateway's HTTP server, not yet listening. Each request gets an id and a log line; calls of the model API go
 * straight to the relay, bypassing Express, all others to the console's API and files.
 */
export function createGateway(deps: AppDeps): Server {
  const app = createConsoleApp(deps);
  const trust = () => toProxyTrust(deps.options.current(), deps.trustedProxies);
  const mayPass = (request: IncomingMessage, isProxied: boolean): boolean =>
    !isPlayground(request.url ?? "") ||
    isFromThisSite({
      headers: request.headers,
      serverAddress: deps.options.current().text("ServerAddress"),
      isProxied,
    });
  const { passThrough } = deps;
  const passPlayground = createPlaygroundPassThrough({ authenticate: createAuthenticator(deps.services), passThrough });
  const defaultLanguage = (): Language => (deps.options.current().text("DefaultLanguage") === "zh" ? "zh" : "en");
  const context = { log: deps.log, defaultLanguage };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const facts = createRequestContext(request, { ...context, trust: trust() });
    logRequest(request, response, deps.log);
    countRequest(request, response);
    tagRequest(facts.requestId);
    if (!isModelApi(request.url ?? "", request.method)) {
      response.setHeader("x-request-id", facts.requestId);
      app(request, response);
    } else if (!mayPass(request, facts.isProxied)) sendRelayError(response, CROSS_SITE, facts.requestId);
    else if (isPlayground(request.url ?? "")) void passPlayground(request, response, facts);
    else passThrough.handle(request, response, facts);
  };
  // Upgrades of other paths are optional and ignored.
  const shouldUpgradeCallback = ({ url = "", headers }: IncomingMessage): boolean =>
    headers.upgrade?.toLowerCase() === "websocket" && isModelApi(url) && !isPlayground(url);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true, shouldUpgradeCallback }, handle);
  server.on("clientError", createClientErrorHandler(defaultLanguage));
  server.on("upgrade", (request, socket, head) => {
    passThrough.upgrade(request, socket, head, createRequestContext(request, { ...context, trust: trust() }));
  });
  return server;
}
