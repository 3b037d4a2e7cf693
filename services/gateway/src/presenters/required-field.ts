import { AppError } from "@turnpike/shared/errors/app-error";

/** A field that its service always sends; throws `internal` when it is missing, which is that service's bug. */
export function requireField<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new AppError("internal", `the service's response lacks ${what}`);
  return value;
}
