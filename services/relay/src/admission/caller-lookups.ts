import type { Token } from "@turnpike/proto/billing/v1/token_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Caller, KnownToken, Principal, TokenRoutes } from "../core/call/caller.ts";
import { createAddressList } from "./allow-list.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import type { CallerCache, FoundCaller } from "./caller-cache.ts";
import { isOidcToken, toCacheKey } from "./oidc-token.ts";

/** What a token of an issuer stands for: a token and how long it does, or why the issuer's token is refused. */
export type ResolvedOidcToken =
  | { readonly token: Token; readonly acceptedUntilMs: number }
  | { readonly refusal: string };

export type LookupDeps = {
  readonly resolveToken: (key: string) => Promise<Token>;
  readonly resolveOidcToken: (oidcToken: string) => Promise<ResolvedOidcToken>;
  readonly getPrincipal: (userId: number) => Promise<Principal>;
  readonly now: () => number;
};

const LOOKUPS_AT_ONCE_MAX = 64;
/** Tokens of issuers may wait for a slow issuer; they leave room for lookups of keys. */
const OIDC_LOOKUPS_AT_ONCE_MAX = 32;
/** So many lookups at once, within the last seconds, are a flood: callers with keys in memory cause none. */
const FLOOD_LOOKUPS = 16;
const FLOOD_MS = 10_000;

/** Billing has checked the texts when they were saved. */
function readRoutes({ modelAliases, modelFallbacks, fallbackCauses }: Token): TokenRoutes | undefined {
  if (!modelAliases && !modelFallbacks && !fallbackCauses) return undefined;
  return {
    aliases: JSON.parse(modelAliases || "{}") as TokenRoutes["aliases"],
    fallbacks: JSON.parse(modelFallbacks || "{}") as TokenRoutes["fallbacks"],
    causes: fallbackCauses ? (JSON.parse(fallbackCauses) as TokenRoutes["causes"]) : undefined,
  };
}

/** A token with what calls read from it. */
export function toKnownToken(token: Token): KnownToken {
  const models = new Set(token.modelLimits.split(",").map((model) => model.trim()));
  const lines = token.allowIps.split("\n").filter((line) => line.trim() !== "");
  return {
    token,
    allowsModel: token.modelLimitsEnabled ? (model) => models.has(model) : () => true,
    allowsAddress: lines.length > 0 ? createAddressList(lines) : () => true,
    routes: readRoutes(token),
  };
}

async function fetchOidcCaller(
  { resolveOidcToken, getPrincipal }: LookupDeps,
  key: string,
): Promise<Caller | RelayError> {
  const resolved = await resolveOidcToken(key);
  if ("refusal" in resolved) return new RelayError("invalid_api_key", `the token is not accepted: ${resolved.refusal}`);
  const { token, acceptedUntilMs } = resolved;
  return { known: toKnownToken(token), principal: await getPrincipal(token.userId), acceptedUntilMs };
}

async function fetchCaller(deps: LookupDeps, key: string): Promise<FoundCaller> {
  try {
    if (isOidcToken(key)) return await fetchOidcCaller(deps, key);
    const token = await deps.resolveToken(key);
    return { known: toKnownToken(token), principal: await deps.getPrincipal(token.userId) };
  } catch (error) {
    if (error instanceof AppError && (error.code === "token_not_found" || error.code === "user_not_found"))
      return undefined;
    throw error;
  }
}

/** Lookups of callers in the control plane: one at a time per key; results go to the cache. */
export class CallerLookups {
  readonly #deps: LookupDeps;
  readonly #cache: CallerCache;
  readonly #running = new Map<string, Promise<FoundCaller>>();
  #runningOidc = 0;
  /** Number of reported changes. */
  #changes = 0;
  #floodedAtMs = -FLOOD_MS;

  constructor(deps: LookupDeps, cache: CallerCache) {
    this.#deps = deps;
    this.#cache = cache;
  }

  /** Called when the control plane reports a change. */
  recordChange(): void {
    this.#changes++;
  }

  /** Whether a lookup of the key is running, which further calls with it join. */
  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** Whether so many lookups are running that a key that is not in memory must wait. */
  isFull(key: string): boolean {
    if (this.#running.size >= LOOKUPS_AT_ONCE_MAX) return true;
    return isOidcToken(key) && this.#runningOidc >= OIDC_LOOKUPS_AT_ONCE_MAX;
  }

  /** Whether a flood of keys that are not in memory explains that a lookup got no response. */
  isFlooded(): boolean {
    return this.#deps.now() - this.#floodedAtMs < FLOOD_MS;
  }

  /** Undefined for an unknown key, an error for a token of an issuer that is refused. Rejects if the control plane does not respond. */
  lookUp(key: string): Promise<FoundCaller> {
    const running = this.#running.get(key);
    if (running) return running;
    const weight = isOidcToken(key) ? 1 : 0;
    this.#runningOidc += weight;
    const lookup = this.#fetch(key).finally(() => {
      this.#runningOidc -= weight;
      this.#running.delete(key);
    });
    this.#running.set(key, lookup);
    if (this.#running.size >= FLOOD_LOOKUPS) this.#floodedAtMs = this.#deps.now();
    return lookup;
  }

  async #fetch(key: string): Promise<FoundCaller> {
    const changesBefore = this.#changes;
    const found = await fetchCaller(this.#deps, key);
    // The response may not include a change reported while the request was in flight.
    this.#cache.put(toCacheKey(key), found, this.#changes !== changesBefore);
    return found;
  }
}
