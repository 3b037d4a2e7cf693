import { RelayError } from "../../../core/errors/relay-error.ts";

/** Source: IETF draft "The Idempotency-Key HTTP Header Field". */
export const IDEMPOTENCY_KEY = "idempotency-key";
const LENGTH_MAX = 255;
/** Node's parser refuses other control characters with 400. */
const CONTROL_CHARACTERS = /[\t\u007f-\u009f]/;

/** The idempotency key of a call; undefined for most calls. Throws invalid_request for one that is empty, too long or has control characters. */
export function readIdempotencyKey(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const value = headers[IDEMPOTENCY_KEY];
  if (value === undefined) return undefined;
  const key = String(value).trim();
  if (key !== "" && key.length <= LENGTH_MAX && !CONTROL_CHARACTERS.test(key)) return key;
  const problem = `must have 1 to ${LENGTH_MAX} characters, none of them a control character`;
  throw new RelayError("invalid_request", `${IDEMPOTENCY_KEY}: ${problem}`, {
    param: IDEMPOTENCY_KEY,
  });
}
