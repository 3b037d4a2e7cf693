import type { ErrorCode } from "@turnpike/contract/errors";

/**
 * An expected failure. `message` is for logs; users see the sentence of `code` in the contract, filled with `params`.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: { params?: Record<string, string>; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.params = options.params ?? {};
  }
}

/** Any error that is not an AppError is a bug: its text stays in the log and the caller gets `internal`. */
export const toAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError("internal", "unexpected error", { cause: error });
