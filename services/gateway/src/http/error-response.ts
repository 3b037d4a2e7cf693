import { type ErrorCode, errorMessage, ERRORS } from "@turnpike/contract/errors";
import { optionProblemInEnglish } from "@turnpike/contract/options/option-problems";
import { AppError, toAppError } from "@turnpike/shared/errors/app-error";
import type { ErrorRequestHandler, RequestHandler } from "express";
import { getRequestContext } from "./request-context.ts";

const RETRY_UNAVAILABLE_SECONDS = 5;

/** Errors that the framework throws before a route runs: body parsing and path decoding. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  "entity.too.large": "body_too_large",
  "entity.parse.failed": "body_unreadable",
  "encoding.unsupported": "body_unreadable",
  "charset.unsupported": "body_unreadable",
  "request.size.invalid": "body_unreadable",
  "request.aborted": "body_unreadable",
};

function readError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return new AppError("not_found", "the path cannot be decoded", { cause: error });
  const type = error instanceof Error && "type" in error && typeof error.type === "string" ? error.type : "";
  const code = FRAMEWORK_ERRORS[type];
  return code ? new AppError(code, type, { cause: error }) : toAppError(error);
}

/** Errors whose detail is a sentence of the contract's checks. */
const DETAILED: ReadonlySet<ErrorCode> = new Set(["option_invalid", "channel_cost_invalid"]);

/** These details are in the source language, wherever they were found. */
const inEnglish = (params: AppError["params"]): AppError["params"] => ({
  ...params,
  detail: optionProblemInEnglish(params["detail"] ?? ""),
});

function getHeaders(error: AppError): Record<string, string> {
  if (ERRORS[error.code].http === 429) return { "retry-after": error.params["seconds"] ?? "60" };
  return error.code === "unavailable" ? { "retry-after": String(RETRY_UNAVAILABLE_SECONDS) } : {};
}

/** The last route: no other route matched the path. */
export const notFound: RequestHandler = () => {
  throw new AppError("not_found", "no such endpoint");
};

/**
 * Maps a route's error to the failure response: status, code, params and the sentence in the caller's language, by the
 * contract's registry. An unexpected error is a bug: it is logged, and the caller gets the request id to report.
 */
export const errorHandler: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const { requestId, language, log } = getRequestContext(request);
  const appError = readError(error);
  const { code } = appError;
  const { http } = ERRORS[code];
  // An unavailable service fails many calls at once: one short line each is enough.
  if (code === "unavailable") log.warn({ reason: appError.message }, "service unavailable");
  else if (http >= 500) log.error({ err: error, code }, "request failed");
  // A parser's error contains the body, and with it user input.
  else if (code === "body_unreadable") log.debug({ reason: appError.message, code }, "call refused");
  else log.debug({ err: error, code }, "call refused");
  const own = language === "en" && DETAILED.has(code) ? inEnglish(appError.params) : appError.params;
  const params = http >= 500 ? { ...own, request_id: requestId } : own;
  response
    .status(http)
    .set(getHeaders(appError))
    .json({ success: false, message: errorMessage(code, params, language), code, params });
};
