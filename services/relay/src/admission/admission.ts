import { setTimeout as wait } from "node:timers/promises";
import type { Admitted, Caller } from "../core/call/caller.ts";
import type { FoundCaller } from "./caller-cache.ts";
import { ROLE, TOKEN_STATUS, USER_STATUS } from "@turnpike/contract/codes";
import type { IncomingHttpHeaders } from "node:http";
import { RelayError } from "../core/errors/relay-error.ts";
import type { CallerDirectory } from "./caller-directory.ts";
import { CallerRefusal } from "./caller-refusal.ts";
import { createKeyRefusals } from "./refusals.ts";
import { readCredentials } from "./credentials.ts";

function checkToken(caller: Caller, nowSeconds: number): void {
  const { token } = caller.known;
  if (token.status === TOKEN_STATUS.exhausted)
    throw new CallerRefusal(caller, "token_quota_exhausted", "the quota of this token is used up");
  if (
    token.status === TOKEN_STATUS.expired ||
    (token.expiredTime !== -1 && token.expiredTime !== 0 && token.expiredTime <= nowSeconds)
  ) {
    throw new CallerRefusal(caller, "token_expired", "this token has expired");
  }
  if (token.status !== TOKEN_STATUS.enabled)
    throw new CallerRefusal(caller, "token_disabled", "this token is disabled");
}

function pinnedChannel(caller: Caller, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (caller.principal.role < ROLE.admin) {
    throw new CallerRefusal(
      caller,
      "channel_pin_not_allowed",
      "only administrators may name a channel behind their key",
    );
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new CallerRefusal(caller, "invalid_request", "the channel behind the key is not a number");
  return id;
}

type Checked = { readonly address: string; readonly pinned: string | undefined; readonly nowMs: number };

/** Throws CallerRefusal if a known caller may not call now, or not from this address. */
export function checkCaller(caller: Caller, { address, pinned, nowMs }: Checked): Admitted {
  checkToken(caller, Math.floor(nowMs / 1000));
  if (caller.principal.status !== USER_STATUS.active)
    throw new CallerRefusal(caller, "user_banned", "the owner of this token is banned");
  if (!caller.known.allowsAddress(address))
    throw new CallerRefusal(caller, "ip_not_allowed", "this address may not use this token");
  return { caller, pinnedChannelId: pinnedChannel(caller, pinned) };
}

/**
 * Admits a caller by API key or by a token of a trusted issuer, or throws the RelayError with the reason: unknown,
 * exhausted, expired, disabled, owner banned, address not allowed. Synchronous for a known key; refusals of keys wait where an address sends many wrong
 * ones.
 */
export function createAdmission(deps: {
  directory: CallerDirectory;
  now: () => number;
  delay?: (ms: number) => Promise<unknown>;
}) {
  const refuseKey = createKeyRefusals({ now: deps.now, delay: deps.delay ?? wait });
  return (headers: IncomingHttpHeaders, path: string, address: string): Admitted | Promise<Admitted> => {
    const credentials = readCredentials(headers, path);
    if (!credentials) return refuseKey(new RelayError("invalid_api_key", "no API key was sent"), address);
    const found = deps.directory.find(credentials.key, address);
    const finish = (caller: FoundCaller): Admitted | Promise<never> => {
      if (caller instanceof RelayError) return refuseKey(caller, address);
      if (!caller) return refuseKey(new RelayError("invalid_api_key", "the API key is not valid"), address);
      return checkCaller(caller, { address, pinned: credentials.pinnedChannel, nowMs: deps.now() });
    };
    return found instanceof Promise ? found.then(finish) : finish(found);
  };
}
export type Admit = ReturnType<typeof createAdmission>;
