import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRICE_KEYS, PRICE_OPTIONS } from "@turnpike/contract/options/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import { createLogger } from "@turnpike/shared/log/log";
import { createGateway } from "../../../services/gateway/src/app.ts";
import { parseRanges } from "@turnpike/shared/http/address-ranges";
import type { MemoryRateLimiter } from "@turnpike/shared/rate-limit/memory-rate-limiter";
import { createConnectionDrain } from "../../../services/shared/src/http/connection-draining.ts";
import { listen, stopServing } from "../../../services/gateway/src/http/server-lifecycle.ts";
import { createPassThrough } from "../../../services/gateway/src/pass-through/pass-through.ts";
import { createServices, type ServiceAddresses } from "../../../services/gateway/src/http/services.ts";
import { createSiteOptions } from "../../../services/gateway/src/site/site-options.ts";
import { type Fakes, INTERNAL_SECRET, startFakeServices, user } from "./fake-services.ts";

/** The users of the tests, by their session id, which is also their access token. */
export const USERS = {
  ada: user(),
  admin: user({ id: 2, username: "admin", role: 10 }),
  root: user({ id: 1, username: "root", role: 100 }),
} as const;
export type TestUser = keyof typeof USERS;

const isTestUser = (text: string): text is TestUser => Object.hasOwn(USERS, text);

/** Responses that accept the test users; tests add what they need. */
const basicFakes = (options: Record<string, string>): Fakes => ({
  auth: {
    getSetup: async () => ({ done: true, rootExists: true }),
    getOptionsSnapshot: async () => ({
      revision: 1,
      options: Object.entries(options).map(([key, value]) => ({ key, value })),
    }),
    resolveSession: async ({ sessionId }) => {
      if (!isTestUser(sessionId)) throw new AppError("unauthenticated", "no such session");
      return { user: USERS[sessionId] };
    },
    resolveAccessToken: async ({ accessToken }) => {
      if (!isTestUser(accessToken)) throw new AppError("unauthenticated", "no such token");
      return { user: USERS[accessToken] };
    },
  },
  identity: {},
  self: {},
  site: {},
  declared: {},
  accounts: {},
  logs: {},
  ledger: {},
  payments: {},
  prices: {},
  priceBook: {
    getPriceBook: async () => ({
      revision: 4,
      options: PRICE_KEYS.map((key) => ({ key, value: options[key] ?? PRICE_OPTIONS[key].default })),
    }),
  },
  redemptions: {},
  reports: {},
  tasks: {},
  tokenUsage: {},
  tokens: {},
  channelBulk: {},
  channelHealth: {},
  channelReports: {},
  providerReports: {},
  channels: {},
  inbox: {},
  mail: {},
  webhooks: {},
});

function writeConsole(): string {
  const webDist = mkdtempSync(join(tmpdir(), "gateway-web-"));
  mkdirSync(join(webDist, "assets"));
  writeFileSync(join(webDist, "index.html"), "<!doctype html><head><title>console</title></head>");
  writeFileSync(join(webDist, "assets", "main-abc123.js"), `console.log("${"x".repeat(2_000)}");`);
  return webDist;
}

type WorldSettings = {
  readonly options?: Record<string, string>;
  readonly relayAddress?: string;
  readonly limiter?: MemoryRateLimiter;
  readonly trustedProxies?: readonly string[];
  /** Services that are down: nothing listens at their address. */
  readonly away?: readonly Exclude<keyof ServiceAddresses, "INTERNAL_SECRET">[];
};

export type ApiResponse = {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of a response
  readonly body: any;
};

/** A gateway over fake services, listening on a free port. */
export async function startGatewayWorld(settings: WorldSettings = {}) {
  const fakes = basicFakes(settings.options ?? {});
  const backend = await startFakeServices(fakes);
  const nowhere = Object.fromEntries((settings.away ?? []).map((name) => [name, "127.0.0.1:1"]));
  const services = createServices({ ...backend.addresses, ...nowhere });
  const log = createLogger("gateway", "silent");
  const options = createSiteOptions({ auth: services.auth, log });
  await options.reload();
  const passThrough = createPassThrough({
    relayAddress: settings.relayAddress ?? "127.0.0.1:1",
    internalSecret: INTERNAL_SECRET,
  });
  const webDist = writeConsole();
  const server = createGateway({
    services,
    options,
    passThrough,
    limiter: settings.limiter,
    log,
    program: { version: "1.2.3", startedAtSeconds: 1_700_000_000 },
    trustedProxies: parseRanges(...(settings.trustedProxies ?? [])),
    webDist,
  });
  const connectionDrain = createConnectionDrain(server);
  const port = await listen(server, "127.0.0.1", 0);
  const url = `http://127.0.0.1:${port}`;

  type CallInit = { as?: TestUser; headers?: Record<string, string>; body?: unknown };
  const call = async (method: string, path: string, init: CallInit = {}): Promise<ApiResponse> => {
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: { ...(init.as ? { cookie: `session=${init.as}` } : {}), ...init.headers },
      body: init.body === undefined ? null : typeof init.body === "string" ? init.body : JSON.stringify(init.body),
    });
    const text = await response.text();
    const isJson = String(response.headers.get("content-type")).includes("json");
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    url,
    port,
    fakes,
    call,
    seen: backend.seen,
    last: backend.last,
    /** The last request of an rpc; throws if it was not called. */
    lastRequest: <Request>(rpc: string): Request => {
      const seen = backend.last(rpc);
      if (!seen) throw new Error(`${rpc} was not called`);
      return seen.request as Request;
    },
    /** Stops serving as the process does when it is ended. */
    drain: (graceSeconds: number): Promise<void> =>
      stopServing({ server, connectionDrain, graceSeconds, endStreams: passThrough.endStreams }),
    stop: async (): Promise<void> => {
      await stopServing({ server, connectionDrain, graceSeconds: 0 });
      passThrough.close();
      options.stop();
      services.close();
      await backend.stop();
      rmSync(webDist, { recursive: true });
    },
  };
}

export type GatewayWorld = Awaited<ReturnType<typeof startGatewayWorld>>;
