import type { Caller } from "../core/call/caller.ts";
import type { RelayError } from "../core/errors/relay-error.ts";
import { isOidcCacheKey } from "./oidc-token.ts";

/** The caller of a key, the refusal of a token of an issuer with its reason, or undefined for an unknown key. */
export type FoundCaller = Caller | RelayError | undefined;

/** What is known of a key. */
export type CachedCaller = { readonly found: FoundCaller; readonly fetchedAtMs: number; isRefreshing: boolean };

export const isCaller = (found: FoundCaller): found is Caller => found !== undefined && "known" in found;

const CALLERS_MAX = 50_000;
const UNKNOWN_MAX = 10_000;

type KeysById = Map<number, Set<string>>;

function addTo(keys: KeysById, id: number, key: string): void {
  const known = keys.get(id);
  if (known) known.add(key);
  else keys.set(id, new Set([key]));
}

function removeFrom(keys: KeysById, id: number, key: string): void {
  const known = keys.get(id);
  if (known?.delete(key) === true && known.size === 0) keys.delete(id);
}

/** The oldest key of a map that is full. */
const findOldest = (entries: ReadonlyMap<string, CachedCaller>, max: number): string | undefined =>
  entries.size >= max ? entries.keys().next().value : undefined;

/**
 * Callers by key, which can be dropped by token and by user, and refused keys, which take no room of callers; the oldest
 * is dropped when there is none left. Several tokens of issuers may stand for one token.
 */
export class CallerCache {
  readonly #now: () => number;
  readonly #callers = new Map<string, CachedCaller>();
  readonly #unknown = new Map<string, CachedCaller>();
  readonly #keysByToken = new Map<number, Set<string>>();
  readonly #keysByUser = new Map<number, Set<string>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): CachedCaller | undefined {
    return this.#callers.get(key) ?? this.#unknown.get(key);
  }

  /** `isStale`: the entry is served, and fetched again on its next use. */
  put(key: string, found: FoundCaller, isStale: boolean): void {
    this.#forget(key);
    const entries = isCaller(found) ? this.#callers : this.#unknown;
    const oldest = findOldest(entries, isCaller(found) ? CALLERS_MAX : UNKNOWN_MAX);
    if (oldest !== undefined) this.#forget(oldest);
    entries.set(key, { found, fetchedAtMs: isStale ? 0 : this.#now(), isRefreshing: false });
    if (!isCaller(found)) return;
    const { id, userId } = found.known.token;
    addTo(this.#keysByToken, id, key);
    addTo(this.#keysByUser, userId, key);
  }

  forgetToken(tokenId: number): void {
    for (const key of this.#keysByToken.get(tokenId) ?? []) this.#forget(key);
  }

  forgetUser(userId: number): void {
    for (const key of this.#keysByUser.get(userId) ?? []) this.#forget(key);
  }

  forgetUnknown(): void {
    this.#unknown.clear();
  }

  /** Drops all tokens of issuers: which of them are accepted has changed. */
  forgetOidcTokens(): void {
    for (const entries of [this.#callers, this.#unknown])
      for (const key of entries.keys()) if (isOidcCacheKey(key)) this.#forget(key);
  }

  #forget(key: string): void {
    this.#unknown.delete(key);
    const found = this.#callers.get(key)?.found;
    this.#callers.delete(key);
    if (!isCaller(found)) return;
    const { id, userId } = found.known.token;
    removeFrom(this.#keysByToken, id, key);
    removeFrom(this.#keysByUser, userId, key);
  }
}
