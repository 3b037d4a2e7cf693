import { AppError } from "@turnpike/shared/errors/app-error";

/** A part of an answer that its service always sends; throws `internal` when it is missing, which is that service's bug. */
export function requireField<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new AppError("internal", `an answer came without its ${what}`);
  return value;
}
