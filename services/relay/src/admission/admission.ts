import type { Admitted, Caller } from "../core/call/caller.ts";
import { ROLE, TOKEN_STATUS, USER_STATUS } from "@turnpike/contract/limits";
import type { IncomingHttpHeaders } from "node:http";
import { RelayError } from "../core/errors/relay-error.ts";
import type { CallerDirectory } from "./caller-directory.ts";
import { readCredentials } from "./credentials.ts";

function checkToken({ known: { token } }: Caller, nowSeconds: number): void {
  if (token.status === TOKEN_STATUS.exhausted)
    throw new RelayError("token_quota_exhausted", "the quota of this token is used up");
  if (
    token.status === TOKEN_STATUS.expired ||
    (token.expiredTime !== -1 && token.expiredTime !== 0 && token.expiredTime <= nowSeconds)
  ) {
    throw new RelayError("token_expired", "this token has expired");
  }
  if (token.status !== TOKEN_STATUS.enabled) throw new RelayError("token_disabled", "this token is disabled");
}

function pinnedChannel(caller: Caller, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (caller.principal.role < ROLE.admin) {
    throw new RelayError("channel_pin_not_allowed", "only administrators may name a channel behind their key");
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new RelayError("invalid_request", "the channel behind the key is not a number");
  return id;
}

/**
 * Admits a caller by API key, or throws the RelayError with the reason: unknown, exhausted, expired, disabled, owner
 * banned, address not allowed. Synchronous for a known key.
 */
export function createAdmission(deps: { directory: CallerDirectory; now: () => number }) {
  const check = (caller: Caller | undefined, address: string, pinned: string | undefined): Admitted => {
    if (!caller) throw new RelayError("invalid_api_key", "the API key is not valid");
    checkToken(caller, Math.floor(deps.now() / 1000));
    if (caller.principal.status !== USER_STATUS.active)
      throw new RelayError("user_banned", "the owner of this token is banned");
    if (!caller.known.allowsAddress(address))
      throw new RelayError("ip_not_allowed", "this address may not use this token");
    return { caller, pinnedChannelId: pinnedChannel(caller, pinned) };
  };
  return (headers: IncomingHttpHeaders, path: string, address: string): Admitted | Promise<Admitted> => {
    const credentials = readCredentials(headers, path);
    if (!credentials) throw new RelayError("invalid_api_key", "no API key was sent");
    const found = deps.directory.find(credentials.key, address);
    return found instanceof Promise
      ? found.then((caller) => check(caller, address, credentials.pinnedChannel))
      : check(found, address, credentials.pinnedChannel);
  };
}
export type Admit = ReturnType<typeof createAdmission>;
