import { RelayError } from "../../core/errors/relay-error.ts";
import { IDEMPOTENCY_KEY } from "../prepare/read/idempotency-key.ts";

const RETRY_SECONDS = 5;

/** Thrown to the clients of a recording whose call failed without a charge, or never ran: it may run again. */
export const RUN_AGAIN = new Error("the call failed without a charge");

const refuse = (
  code: "idempotency_conflict" | "idempotency_key_reused" | "rate_limit_exceeded",
  message: string,
  retryAfterSeconds?: number,
) =>
  new RelayError(code, `${IDEMPOTENCY_KEY}: ${message}`, {
    param: IDEMPOTENCY_KEY,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
export const reused = (): RelayError =>
  refuse("idempotency_key_reused", "the key was used for a call with another body; use a new key");
export const unstored = (): RelayError =>
  refuse(
    "idempotency_conflict",
    "the call with this key is done and charged, but its response was too large to be stored, or Redis failed; use a new key",
  );
export const unknownFate = (): RelayError =>
  refuse(
    "idempotency_conflict",
    "it is not known yet whether the call with this key was served; try again",
    RETRY_SECONDS,
  );
/** For what must not run again: it is not known whether the dead relay sent it. */
export const lost = (): RelayError =>
  refuse(
    "idempotency_conflict",
    "the relay that ran the request with this key has stopped, and what became of it is not known: look at your log and your tasks, then use a new key",
  );
export const full = (): RelayError =>
  refuse("rate_limit_exceeded", "the storage for keys is full; try again later, or without a key", 60);
export const unavailable = (cause: unknown): RelayError =>
  new RelayError("service_unavailable", "idempotency keys cannot be checked right now", {
    retryAfterSeconds: 1,
    cause,
  });
export const refuseUnavailable = (cause: unknown): never => {
  throw unavailable(cause);
};
