import { isForeignKey, isOwnKey } from "@turnpike/shared/crypto/token-key-hash";
import type { Logger } from "@turnpike/shared/log/log";
import { RelayError } from "../core/errors/relay-error.ts";
import { type CachedCaller, CallerCache, type FoundCaller, isCaller } from "./caller-cache.ts";
import { CallerLookups, type LookupDeps } from "./caller-lookups.ts";
import { isOidcToken, toCacheKey } from "./oidc-token.ts";
import { AddressCounter } from "./address-counter.ts";

const FRESH_MS = 60_000;
/** When a caller may try again whose key could not be looked up. */
const FAILED_RETRY_SECONDS = 2;
/** How long an unknown key is refused without another lookup. */
const UNKNOWN_MS = 5_000;

/** Number of unknown keys per address that are looked up in one window: each costs a lookup in another service. */
const LOOKUP_LIMITS = { max: 100, windowMs: 10_000 };

const tooManyUnknown = (retryAfterSeconds: number): RelayError =>
  new RelayError("rate_limit_exceeded", "too many unknown keys are being sent; try again later", { retryAfterSeconds });

const expired = (): RelayError => new RelayError("invalid_api_key", "the token is not accepted: it has expired");

type Deps = LookupDeps & {
  /** Whether any issuer is trusted: without one, nothing is looked up for their tokens. */
  readonly hasOidcIssuers: () => boolean;
  readonly now: () => number;
  readonly log: Logger;
};

export type CallerDirectory = ReturnType<typeof createCallerDirectory>;

type ReaderDeps = Pick<Deps, "now" | "log"> & { readonly cache: CallerCache; readonly lookups: CallerLookups };

/** Reads what is known of a key and still valid, and fetches old entries again in the background. */
function createCachedReader({ cache, lookups, now, log }: ReaderDeps) {
  const refresh = (key: string, entry: CachedCaller): void => {
    if (entry.isRefreshing) return;
    entry.isRefreshing = true;
    lookups.lookUp(key).catch((error: unknown) => {
      entry.isRefreshing = false;
      log.warn({ err: error }, "caller refresh failed, the stale copy stays in use");
    });
  };
  /** Undefined when the key has to be looked up. */
  return function readCached(key: string): { readonly found: FoundCaller } | undefined {
    const cacheKey = toCacheKey(key);
    const entry = cache.get(cacheKey);
    if (!entry) return undefined;
    const ageMs = now() - entry.fetchedAtMs;
    if (!isCaller(entry.found)) return ageMs < UNKNOWN_MS ? entry : undefined;
    const { acceptedUntilMs } = entry.found;
    if (acceptedUntilMs !== undefined && acceptedUntilMs <= now()) {
      cache.put(cacheKey, expired(), false);
      return cache.get(cacheKey);
    }
    if (ageMs > FRESH_MS) refresh(key, entry);
    return entry;
  };
}

/**
 * In-memory directory of tokens and their owners by key. A known key never waits: a copy older than a minute is served
 * while a new one is fetched, and stays in use while the control plane is down. Unknown keys are cached for seconds,
 * and concurrent lookups of unknown keys are limited, so that a flood of them does not slow down valid callers.
 */
export function createCallerDirectory(deps: Deps) {
  const cache = new CallerCache(deps.now);
  const lookups = new CallerLookups(deps, cache);
  const unknownKeys = new AddressCounter(deps.now, LOOKUP_LIMITS);

  const lookUp = (key: string): Promise<FoundCaller> =>
    lookups.lookUp(key).catch((error: unknown) => {
      if (lookups.isFlooded()) throw tooManyUnknown(FAILED_RETRY_SECONDS);
      throw new RelayError("service_unavailable", "the key could not be checked right now", {
        retryAfterSeconds: FAILED_RETRY_SECONDS,
        cause: error,
      });
    });
  /** Counts a lookup before its outcome is known, so that simultaneous ones of an address are bounded, too. */
  const lookUpCounted = async (key: string, address: string): Promise<FoundCaller> => {
    unknownKeys.count(address);
    // A token that cannot be verified counts: while an issuer is down, every forged one looks like that.
    let isUnknown = isOidcToken(key);
    try {
      const found = await lookUp(key);
      isUnknown = !isCaller(found);
      return found;
    } finally {
      if (!isUnknown) unknownKeys.uncount(address);
    }
  };

  /** Whether a text may be a key, so that it is worth a lookup. */
  const mayBeKey = (key: string): boolean =>
    isOwnKey(key) || isForeignKey(key) || (isOidcToken(key) && deps.hasOidcIssuers());
  const readCached = createCachedReader({ ...deps, cache, lookups });

  return {
    /**
     * The caller of a key: synchronous if known, else after a lookup; undefined for an unknown key, and 401 with the
     * reason for a token of an issuer that is refused. Returns 429 for keys not cached here while too many are looked up,
     * for this address or at once; rejects when the lookup fails: with 503, or with 429 in a flood of such keys, which
     * slows the lookups down.
     */
    find(key: string, address = ""): FoundCaller | Promise<FoundCaller> {
      const known = readCached(key);
      if (known) return known.found;
      if (!mayBeKey(key)) return undefined;
      if (lookups.isRunning(key)) return lookUp(key);
      if (unknownKeys.isExhausted(address)) return tooManyUnknown(unknownKeys.waitSeconds(address));
      if (lookups.isFull(key)) return tooManyUnknown(1);
      return lookUpCounted(key, address);
    },
    forgetToken(tokenId: number): void {
      lookups.recordChange();
      cache.forgetToken(tokenId);
    },
    forgetUser(userId: number): void {
      lookups.recordChange();
      cache.forgetUser(userId);
    },
    /** Drops the tokens of issuers: who is trusted has changed. */
    forgetOidcTokens(): void {
      lookups.recordChange();
      cache.forgetOidcTokens();
    },
    /** Clears the cached unknown keys: one of them may have been created just now. */
    forgetUnknown: (): void => cache.forgetUnknown(),
  };
}
