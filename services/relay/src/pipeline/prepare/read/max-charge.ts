import { MAX_CHARGE } from "../../../core/call/charge-headers.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";

const DOLLARS = /^\d{1,9}(\.\d{1,12})?$/;

/** The ceiling of a call's charge in dollars; undefined for most calls. Throws invalid_request for anything but a decimal number. */
export function readMaxCharge(headers: Readonly<Record<string, string | string[] | undefined>>): number | undefined {
  const value = headers[MAX_CHARGE];
  if (value === undefined) return undefined;
  const text = String(value).trim();
  if (DOLLARS.test(text)) return Number(text);
  throw new RelayError("invalid_request", `${MAX_CHARGE}: must be an amount in dollars such as 0.05`, {
    param: MAX_CHARGE,
  });
}
