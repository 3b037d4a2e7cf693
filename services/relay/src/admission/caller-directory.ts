import type { Caller, KnownToken, Principal } from "../core/call/caller.ts";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { RelayError } from "../core/errors/relay-error.ts";
import { createAddressList } from "./allow-list.ts";
import { createUnknownKeyLimiter } from "./unknown-key-limiter.ts";

type Entry = { caller: Caller | undefined; fetchedAtMs: number; refreshing: boolean };

const FRESH_MS = 60_000;
/** How long an unknown key is refused without another lookup. */
const UNKNOWN_MS = 5_000;
const ENTRIES_MAX = 50_000;
const LOOKUPS_AT_ONCE_MAX = 64;
const KEY_FORM = /^[0-9A-Za-z]{48}$/;

function know(token: Token): KnownToken {
  const models = new Set(token.modelLimits.split(",").map((model) => model.trim()));
  const lines = token.allowIps.split("\n").filter((line) => line.trim() !== "");
  return {
    token,
    allowsModel: token.modelLimitsEnabled ? (model) => models.has(model) : () => true,
    allowsAddress: lines.length > 0 ? createAddressList(lines) : () => true,
  };
}

const tooManyUnknown = (retryAfterSeconds: number): RelayError =>
  new RelayError("service_unavailable", "too many unknown keys came from this address", { retryAfterSeconds });

type Deps = {
  readonly resolveToken: (key: string) => Promise<Token>;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly now: () => number;
  readonly log: Logger;
};

export type CallerDirectory = ReturnType<typeof createCallerDirectory>;

/**
 * In-memory directory of tokens and their owners by key. A known key never waits: a copy older than a minute is served
 * while a new one is fetched, and stays in use while the control plane is down. Unknown keys are cached for seconds,
 * and concurrent lookups of unknown keys are limited, so that a flood of them does not slow down valid callers.
 */
export function createCallerDirectory(deps: Deps) {
  const entries = new Map<string, Entry>();
  const keysByToken = new Map<number, string>();
  const keysByUser = new Map<number, Set<string>>();
  const lookups = new Map<string, Promise<Caller | undefined>>();
  const unknownKeys = createUnknownKeyLimiter(deps.now);

  let notices = 0;

  const forget = (key: string): void => {
    const known = entries.get(key)?.caller?.known.token;
    entries.delete(key);
    if (!known) return;
    keysByToken.delete(known.id);
    keysByUser.get(known.userId)?.delete(key);
  };
  const remember = (key: string, caller: Caller | undefined, isStale: boolean): void => {
    forget(key);
    const oldest = entries.size >= ENTRIES_MAX ? entries.keys().next().value : undefined;
    if (oldest !== undefined) forget(oldest);
    entries.set(key, { caller, fetchedAtMs: isStale ? 0 : deps.now(), refreshing: false });
    if (!caller) return;
    const { id, userId } = caller.known.token;
    keysByToken.set(id, key);
    const keys = keysByUser.get(userId) ?? new Set();
    keysByUser.set(userId, keys.add(key));
  };
  const fetchCaller = async (key: string): Promise<Caller | undefined> => {
    try {
      const token = await deps.resolveToken(key);
      return { known: know(token), principal: await deps.getPrincipal(token.userId) };
    } catch (error) {
      if (error instanceof AppError && (error.code === "token_not_found" || error.code === "user_not_found"))
        return undefined;
      throw error;
    }
  };
  const lookUp = (key: string): Promise<Caller | undefined> => {
    const running = lookups.get(key);
    if (running) return running;
    if (lookups.size >= LOOKUPS_AT_ONCE_MAX) {
      return Promise.reject(new AppError("unavailable", "too many unknown keys at once"));
    }
    const noticesBefore = notices;
    const lookup = fetchCaller(key)
      .then((caller) => {
        // The response may not include a change reported while the request was in flight.
        remember(key, caller, notices !== noticesBefore);
        return caller;
      })
      .finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return lookup;
  };
  const refresh = (key: string, entry: Entry): void => {
    if (entry.refreshing) return;
    entry.refreshing = true;
    lookUp(key).catch((error: unknown) => {
      entry.refreshing = false;
      deps.log.warn({ err: error }, "caller refresh failed, the stale copy stays in use");
    });
  };

  return {
    /**
     * The caller of a key: synchronous if known, else after a lookup; undefined for an unknown key. 503 when the lookup
     * fails, and for keys not cached here from an address that sent many unknown keys.
     */
    find(key: string, address = ""): Caller | undefined | Promise<Caller | undefined> {
      const entry = entries.get(key);
      if (entry) {
        const ageMs = deps.now() - entry.fetchedAtMs;
        if (entry.caller && ageMs > FRESH_MS) refresh(key, entry);
        if (entry.caller || ageMs < UNKNOWN_MS) return entry.caller;
      }
      if (!KEY_FORM.test(key)) return undefined;
      if (unknownKeys.isSpent(address)) throw tooManyUnknown(unknownKeys.waitSeconds(address));
      const lookup = lookUp(key).then((caller) => {
        if (!caller) unknownKeys.note(address);
        return caller;
      });
      return lookup.catch((error: unknown) => {
        throw new RelayError("service_unavailable", "the key could not be checked right now", {
          retryAfterSeconds: 2,
          cause: error,
        });
      });
    },
    forgetToken(tokenId: number): void {
      notices++;
      const key = keysByToken.get(tokenId);
      if (key !== undefined) forget(key);
    },
    forgetUser(userId: number): void {
      notices++;
      for (const key of keysByUser.get(userId) ?? []) forget(key);
    },
    /** Clears the cached unknown keys: one of them may have been created just now. */
    forgetUnknown(): void {
      for (const [key, entry] of entries) if (!entry.caller) entries.delete(key);
    },
  };
}
