import { lookup as resolve, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, fetch, type RequestInit, type Response } from "undici";
import { AppError } from "../errors/app-error.ts";
import { type AddressPolicy, createAddressPolicy } from "./address-policy.ts";

/** How names become addresses; node's own resolver unless a test brings another. */
export type ResolveAll = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;
export type PrivateAddressGuard = ReturnType<typeof createPrivateAddressGuard>;

const CONNECT_TIMEOUT_MS = 5_000;
const CALL_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1024 * 1024;

const resolveAll: ResolveAll = (host, done) => resolve(host, { all: true }, done);

const refusal = (host: string): AppError =>
  new AppError("address_not_allowed", `calls to ${host} are not allowed`, { params: { host } });

/** The same mistake however deep a client library has wrapped it. */
function findRefusal(error: unknown): AppError | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof AppError && at.code === "address_not_allowed") return at;
  return undefined;
}

/** A lookup that fails when any of the name's addresses may not be called, so that what was checked is what is connected to. */
const guardedLookup =
  (policy: AddressPolicy, resolveHost: ResolveAll): LookupFunction =>
  (host, options, done) =>
    resolveHost(host, (error, addresses) => {
      if (error) return done(error, []);
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => policy.mayCall(address))) return done(refusal(host), []);
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });

type Bounds = { readonly maxResponseSize: number; readonly timeoutMs: number };

function createGuardedAgent(policy: AddressPolicy, resolveHost: ResolveAll, bounds: Bounds): Agent {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: guardedLookup(policy, resolveHost) });
  return new Agent({
    // Literal addresses are connected to without a lookup.
    connect: (options, done) =>
      policy.isAddress(options.hostname) && !policy.mayCall(options.hostname)
        ? done(refusal(options.hostname), null)
        : connect(options, done),
    headersTimeout: bounds.timeoutMs,
    bodyTimeout: bounds.timeoutMs,
    maxResponseSize: bounds.maxResponseSize,
    keepAliveTimeout: 4_000,
  });
}

function parseUrl(text: string | URL): URL {
  const url = URL.canParse(String(text)) ? new URL(text) : undefined;
  if (url && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new AppError("address_not_allowed", "not an http address", { params: { host: String(text).slice(0, 100) } });
}

/**
 * Outgoing HTTP to addresses that users entered. The address is checked when connecting, after name resolution, so a
 * name that changes its address between check and call gains nothing; redirects are not followed automatically. Throws
 * address_not_allowed. `allowlist` opens the operator's own networks (CIDRs); responses are limited to 1 MB and 10
 * seconds by default.
 */
export function createPrivateAddressGuard(deps: {
  allowlist: readonly string[];
  resolveAll?: ResolveAll;
  answerBytesMax?: number;
  callTimeoutMs?: number;
}) {
  const policy = createAddressPolicy(deps.allowlist);
  const resolveHost = deps.resolveAll ?? resolveAll;
  const timeoutMs = deps.callTimeoutMs ?? CALL_TIMEOUT_MS;
  const maxResponseSize = deps.answerBytesMax ?? ANSWER_BYTES_MAX;
  const agent = createGuardedAgent(policy, resolveHost, { maxResponseSize, timeoutMs });
  return {
    /** For undici's `request`; refuses by failing the connection with address_not_allowed as the error or its cause. */
    dispatcher: agent as Dispatcher,
    /**
     * One request, within the bounds of time and size, redirects answered and not followed. Throws
     * address_not_allowed, or what undici throws when the call fails.
     */
    async fetch(target: string | URL, init: RequestInit = {}): Promise<Response> {
      const url = parseUrl(target);
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
      try {
        return await fetch(url, { redirect: "manual", ...init, signal, dispatcher: agent });
      } catch (error) {
        throw findRefusal(error) ?? error;
      }
    },
    /**
     * Checks an address when it is typed, so that people are told at once; the check at connect time is what protects. A name that
     * does not resolve right now passes. Throws address_not_allowed.
     */
    async check(target: string | URL): Promise<void> {
      const { hostname } = parseUrl(target);
      if (policy.isAddress(hostname)) {
        if (!policy.mayCall(hostname)) throw refusal(hostname);
        return;
      }
      const addresses = await new Promise<LookupAddress[]>((done) => {
        resolveHost(hostname, (error, found) => done(error ? [] : found));
      });
      if (!addresses.every(({ address }) => policy.mayCall(address))) throw refusal(hostname);
    },
    close: (): Promise<void> => agent.close(),
  };
}
