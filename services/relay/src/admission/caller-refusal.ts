import type { Caller } from "../core/call/caller.ts";
import { RelayError, type RelayErrorCode } from "../core/errors/relay-error.ts";

/** The refusal of a known caller, so that the refusal can be logged for its owner. */
export class CallerRefusal extends RelayError {
  readonly caller: Caller;

  constructor(caller: Caller, code: RelayErrorCode, message: string) {
    super(code, message);
    this.caller = caller;
  }
}

/** Errors of a key that may no longer be used: a connection that was opened with it ends with them. */
const REVOKED: ReadonlySet<RelayErrorCode> = new Set([
  "invalid_api_key",
  "token_expired",
  "token_disabled",
  "user_banned",
  "ip_not_allowed",
]);

export const isRevoked = ({ code }: RelayError): boolean => REVOKED.has(code);

/** Why a key that was accepted is accepted no longer; undefined while it is, and while that cannot be checked. */
export async function findRevocation(admit: () => unknown): Promise<RelayError | undefined> {
  try {
    await admit();
    return undefined;
  } catch (error) {
    return error instanceof RelayError && isRevoked(error) ? error : undefined;
  }
}
