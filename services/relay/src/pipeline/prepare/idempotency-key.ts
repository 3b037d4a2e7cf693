import { RelayError } from "../../core/errors/relay-error.ts";

/** Source: IETF draft "The Idempotency-Key HTTP Header Field". */
export const IDEMPOTENCY_KEY = "idempotency-key";
const LENGTH_MAX = 255;

/** The idempotency key of a call; undefined for most calls. Throws invalid_request for one that is empty or too long. */
export function readIdempotencyKey(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const value = headers[IDEMPOTENCY_KEY];
  if (value === undefined) return undefined;
  const key = String(value).trim();
  if (key !== "" && key.length <= LENGTH_MAX) return key;
  throw new RelayError("invalid_request", `${IDEMPOTENCY_KEY}: must have 1 to ${LENGTH_MAX} characters`, {
    param: IDEMPOTENCY_KEY,
  });
}
