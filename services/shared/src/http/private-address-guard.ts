import { lookup as resolve, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher, fetch, type RequestInit, type Response } from "undici";
import { AppError } from "../errors/app-error.ts";
import { type AddressPolicy, createAddressPolicy } from "./address-policy.ts";

/** Resolves names to addresses; node's own resolver unless a test passes another. */
export type ResolveAll = (host: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;
export type PrivateAddressGuard = ReturnType<typeof createPrivateAddressGuard>;

const CONNECT_TIMEOUT_MS = 5_000;
const CALL_TIMEOUT_MS = 10_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;

const resolveAll: ResolveAll = (host, done) => resolve(host, { all: true }, done);

const refusal = (host: string): AppError =>
  new AppError("address_not_allowed", `calls to ${host} are not allowed`, { params: { host } });

/** Unwraps the same error from the causes that a client library added. */
function findRefusal(error: unknown): AppError | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof AppError && at.code === "address_not_allowed") return at;
  return undefined;
}

/**
 * A lookup that fails when any of the name's addresses may not be called, so that the checked address is the one
 * connected to.
 */
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

type Bounds = { readonly maxResponseSize: number; readonly timeoutMs: number; readonly ca: string | undefined };

function createGuardedAgent(policy: AddressPolicy, resolveHost: ResolveAll, bounds: Bounds): Agent {
  const lookup = guardedLookup(policy, resolveHost);
  const trust = bounds.ca === undefined ? {} : { ca: bounds.ca };
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup, ...trust });
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

/** Names that the public DNS does not have: without a dot (as in a hosts file), or reserved for local use. */
const isLocalName = (host: string): boolean => {
  const name = host.replace(/\.$/, "").toLowerCase();
  return !name.includes(".") || /\.(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/.test(name);
};

function parseUrl(text: string | URL): URL {
  const url = URL.canParse(String(text)) ? new URL(text) : undefined;
  if (url && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new AppError("address_not_allowed", "not an http address", { params: { host: String(text).slice(0, 100) } });
}

/**
 * Outgoing HTTP to addresses that users entered. The address is checked when connecting, after name resolution, so a
 * name whose address changes between check and call is still refused; redirects are not followed automatically. Throws
 * address_not_allowed. `allowlist` allows the operator's own networks (CIDRs); responses are limited to 1 MB and 10
 * seconds by default.
 */
export function createPrivateAddressGuard(deps: {
  allowlist: readonly string[];
  resolveAll?: ResolveAll;
  responseBytesMax?: number;
  callTimeoutMs?: number;
  /** PEM of the certificate authorities that are trusted instead of the public ones. */
  ca?: string;
}) {
  const policy = createAddressPolicy(deps.allowlist);
  const resolveHost = deps.resolveAll ?? resolveAll;
  const timeoutMs = deps.callTimeoutMs ?? CALL_TIMEOUT_MS;
  const maxResponseSize = deps.responseBytesMax ?? RESPONSE_BYTES_MAX;
  const agent = createGuardedAgent(policy, resolveHost, { maxResponseSize, timeoutMs, ca: deps.ca });
  return {
    /** For undici's `request`; fails a refused connection with address_not_allowed as the error or its cause. */
    dispatcher: agent as Dispatcher,
    /**
     * One request, with limits of time and size; redirects are returned, not followed. Throws address_not_allowed, or
     * undici's error when the call fails.
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
     * Checks an address when a user enters it, so that the form shows the error at once; the check at connect time is
     * what protects. A public name that does not resolve at the moment passes. Throws address_not_allowed.
     */
    async check(target: string | URL): Promise<void> {
      const { hostname } = parseUrl(target);
      if (policy.isAddress(hostname)) {
        if (!policy.mayCall(hostname)) throw refusal(hostname);
        return;
      }
      // Without an allowlist no local name can be meant, whether or not it resolves here.
      if (deps.allowlist.length === 0 && isLocalName(hostname)) throw refusal(hostname);
      const addresses = await new Promise<LookupAddress[]>((done) => {
        resolveHost(hostname, (error, found) => done(error ? [] : found));
      });
      if (!addresses.every(({ address }) => policy.mayCall(address))) throw refusal(hostname);
    },
    close: (): Promise<void> => agent.close(),
  };
}
