import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { RelayError } from "../../core/errors/relay-error.ts";
import { providerSettings, toTarget } from "./provider-target.ts";
import { findProvider } from "../../providers/registry/providers.ts";
import type { AuthCapability, Provider } from "../../providers/contract/provider.ts";
import type { Target } from "../../providers/contract/target.ts";
import type { Choice } from "../../core/call/channel.ts";
import { toUpstreamError, toRelayError, createUnreadableResponseError } from "../../upstream/upstream-errors.ts";
import { receiveResponse, through, type UpstreamClient } from "../../upstream/upstream-client.ts";

const EXCHANGE_TIMEOUT_MS = 15_000;
const RESPONSE_BYTES_MAX = 256 * 1024;
/** A token is renewed this long before it expires, or at half its lifetime if that is shorter. */
const RENEW_BEFORE_MS = 3_600_000;
/** A token this close to its expiry is not used: the call itself takes time. */
const UNUSABLE_BEFORE_MS = 60_000;
const ACCOUNTS_MAX = 10_000;

type Held = {
  readonly token: string;
  readonly fetchedAtMs: number;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
};
type Deps = { readonly client: UpstreamClient; readonly options: () => OptionsInForce; readonly now: () => number };
type Exchanging = Provider & { readonly auth: Required<Pick<AuthCapability, "tokenExchange">> };

export type AccessTokens = ReturnType<typeof createAccessTokens>;

const getAccount = ({ channelType, baseUrl, key }: Target): string => `${channelType}\n${baseUrl}\n${key}`;
const canExchange = (provider: Provider | undefined): provider is Exchanging =>
  provider?.auth?.tokenExchange !== undefined;

/** An exchange carries nothing from the caller: whatever its status, a failure is a fault of the channel's key. */
function ofTheKey(refused: RelayError): RelayError {
  const { status, upstream } = refused;
  if (!upstream || status < 400 || status > 499 || status === 408 || status === 429) return refused;
  return new RelayError("upstream_error", upstream.message, {
    status: 401,
    upstream: { ...upstream, type: "authentication_error" },
  });
}

async function exchange(deps: Deps, provider: Exchanging, target: Target): Promise<Held> {
  const nowMs = deps.now();
  try {
    const { url, headers, body, read } = provider.auth.tokenExchange(target, nowMs);
    const timeouts = { firstByteMs: EXCHANGE_TIMEOUT_MS, idleMs: EXCHANGE_TIMEOUT_MS };
    const response = await receiveResponse(
      deps.client,
      { method: "POST", url, headers, body, ...timeouts, ...through(target.proxy) },
      {
        bytesMax: RESPONSE_BYTES_MAX,
        onCancel: (cancel) =>
          void setTimeout(() => cancel(new Error("the access token request timed out")), EXCHANGE_TIMEOUT_MS).unref(),
      },
    );
    if (response.status !== 200) throw ofTheKey(toUpstreamError({ response, provider, statusCodeMapping: {}, nowMs }));
    const { token, lifetimeSeconds } = read(parseJson(response.body));
    const lifetimeMs = lifetimeSeconds * 1000;
    return {
      token,
      fetchedAtMs: nowMs,
      renewAtMs: nowMs + lifetimeMs - Math.min(RENEW_BEFORE_MS, lifetimeMs / 2),
      endsAtMs: nowMs + lifetimeMs - UNUSABLE_BEFORE_MS,
    };
  } catch (error) {
    throw toRelayError(error);
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw createUnreadableResponseError(cause);
  }
}

/**
 * Exchanges keys for access tokens where providers require that, caches the tokens until they expire, and fetches each
 * one once for all concurrent calls.
 */
export function createAccessTokens(deps: Deps) {
  const held = new Map<string, Held>();
  const underWay = new Map<string, Promise<string>>();

  const fetch = (provider: Exchanging, target: Target, account: string): Promise<string> => {
    const known = underWay.get(account);
    if (known) return known;
    const old = held.get(account);
    const fetching = exchange(deps, provider, target)
      .then((fresh) => {
        if (held.size >= ACCOUNTS_MAX) held.clear();
        held.set(account, fresh);
        return fresh.token;
      })
      .catch((error: unknown) => {
        if (old && old.endsAtMs > deps.now()) return old.token;
        throw error;
      })
      .finally(() => underWay.delete(account));
    underWay.set(account, fetching);
    return fetching;
  };

  /** The token for a target: synchronous if cached, else once fetched. Rejects with the RelayError of the exchange. */
  const forTarget = (target: Target): string | undefined | Promise<string> => {
    const provider = findProvider(target.channelType);
    if (!canExchange(provider)) return undefined;
    const account = getAccount(target);
    const known = held.get(account);
    return known && known.renewAtMs > deps.now() ? known.token : fetch(provider, target, account);
  };

  const plainTarget = (choice: Choice): Target => toTarget(choice, "", providerSettings(deps.options()));
  return {
    forTarget,
    /** The token for a channel and its key; undefined for providers that accept the key itself. */
    of: (choice: Choice): string | undefined | Promise<string> =>
      canExchange(findProvider(choice.channel.type)) ? forTarget(plainTarget(choice)) : undefined,
    /**
     * Drops a token that upstream rejected. Returns true if the token is older than the call, so that a retry with a
     * new one may succeed.
     */
    forget(choice: Choice, callStartedAtMs: number): boolean {
      if (!canExchange(findProvider(choice.channel.type))) return false;
      const account = getAccount(plainTarget(choice));
      const fetchedAtMs = held.get(account)?.fetchedAtMs;
      return held.delete(account) && fetchedAtMs !== undefined && fetchedAtMs < callStartedAtMs;
    },
  };
}
