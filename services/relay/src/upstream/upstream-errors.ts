import { errors } from "undici";
import { RelayError, UPSTREAM_CODES, type UpstreamFailure } from "../core/errors/relay-error.ts";
import { type SentHeaders, StreamFailure } from "../core/wire/stream.ts";
import type { ResponseHeaders, UpstreamResponse } from "./upstream-call.ts";

/** Reads a non-2xx response of one provider; the body is JSON where it parsed, else text. */
type ErrorReader = {
  readonly parseError: (status: number, body: unknown, headers?: SentHeaders) => UpstreamFailure;
};

const RETRY_AFTER_SECONDS_MAX = 3_600;

const TIMEOUTS = [errors.HeadersTimeoutError, errors.BodyTimeoutError, errors.ConnectTimeoutError];

const READING_FAILURES = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * A call whose response is missing or was lost. The message never contains the URL, which may be the operator's secret.
 */
export function createNoResponseError(cause: unknown): RelayError {
  const isTimeout = TIMEOUTS.some((kind) => cause instanceof kind);
  const message = isTimeout ? "upstream did not respond in time" : "upstream could not be reached";
  return new RelayError(isTimeout ? "upstream_timeout" : "upstream_error", message, {
    upstream: { message, type: "upstream_error", code: UPSTREAM_CODES.noResponse, param: undefined },
    cause,
  });
}

/** A stream that ended without its end mark. */
export function createCutStreamError(): RelayError {
  const message = "upstream ended the stream before it was complete";
  return new RelayError("stream_interrupted", message, {
    upstream: { message, type: "upstream_error", code: UPSTREAM_CODES.noResponse, param: undefined },
  });
}

/** A response that is not in the provider's format (an HTML page, invalid JSON). */
export function createUnreadableResponseError(cause?: unknown): RelayError {
  const message = "upstream sent an unreadable response";
  return new RelayError("upstream_error", message, {
    upstream: { message, type: "upstream_error", code: UPSTREAM_CODES.badResponse, param: undefined },
    cause,
  });
}

/** An error that upstream sent inside a response or a stream with a success status. */
export const toStreamError = (failure: StreamFailure): RelayError =>
  new RelayError("upstream_error", failure.message, {
    status: failure.status,
    upstream: failure.upstream,
    usage: failure.usage,
    ...(failure.upstream.retryAfterSeconds === undefined
      ? {}
      : { retryAfterSeconds: failure.upstream.retryAfterSeconds }),
    cause: failure,
  });

/** Converts any error thrown while a response was read to what the caller may see. */
export function toRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof StreamFailure) return toStreamError(error);
  // Thrown by code that parsed the response, not by the connection.
  return READING_FAILURES.some((kind) => error instanceof kind)
    ? createUnreadableResponseError(error)
    : createNoResponseError(error);
}

/** Seconds of a Retry-After header (RFC 9110, 10.2.3: a number or a date), bounded. */
export function retryAfterSeconds(headers: ResponseHeaders, nowMs: number): number | undefined {
  const value = headers["retry-after"];
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs) / 1000);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, RETRY_AFTER_SECONDS_MAX) : undefined;
}

function parseBody(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The status that an operator configured in place of upstream's, for failures only. */
function mappedStatus(status: number, mapping: Readonly<Record<string, string>>): number {
  const mapped = Number(mapping[String(status)] ?? status);
  return Number.isInteger(mapped) && mapped >= 400 && mapped <= 599 ? mapped : status;
}

/** A non-2xx response as an error: upstream's text, the operator's status, Retry-After kept. */
export function toUpstreamError(input: {
  response: UpstreamResponse;
  provider: ErrorReader;
  statusCodeMapping: Readonly<Record<string, string>>;
  nowMs: number;
}): RelayError {
  const { response, provider } = input;
  const upstream = provider.parseError(response.status, parseBody(response.body), response.headers);
  const status = mappedStatus(response.status, input.statusCodeMapping);
  const after = retryAfterSeconds(response.headers, input.nowMs) ?? upstream.retryAfterSeconds;
  return new RelayError("upstream_error", upstream.message, {
    // A redirect or another unexpected status counts as upstream's failure.
    status: status >= 400 ? status : 502,
    upstream,
    ...(after === undefined ? {} : { retryAfterSeconds: after }),
  });
}
