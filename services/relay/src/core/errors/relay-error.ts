import type { TokenUsage } from "@turnpike/contract/pricing/usage";

/**
 * The errors of the model API. `status` is the HTTP status; the three types are those of OpenAI's, Anthropic's and
 * Google's error bodies. Which errors are retried on another channel is in routing/retry-rules.ts. `code` is OpenAI's `code`.
 */
export const RELAY_ERRORS = {
  invalid_request: { status: 400, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  body_too_large: { status: 413, anthropic: "request_too_large", google: "INVALID_ARGUMENT" },
  model_required: { status: 400, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  sensitive_words_detected: { status: 400, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  content_filter: { status: 400, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  browser_extension_blocked: { status: 403, anthropic: "permission_error", google: "PERMISSION_DENIED" },
  model_not_found: { status: 404, anthropic: "not_found_error", google: "NOT_FOUND" },
  previous_response_not_found: { status: 404, anthropic: "not_found_error", google: "NOT_FOUND" },
  not_found: { status: 404, anthropic: "not_found_error", google: "NOT_FOUND" },
  method_not_allowed: { status: 405, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  invalid_api_key: { status: 401, anthropic: "authentication_error", google: "UNAUTHENTICATED" },
  token_expired: { status: 401, anthropic: "authentication_error", google: "UNAUTHENTICATED" },
  token_disabled: { status: 401, anthropic: "authentication_error", google: "UNAUTHENTICATED" },
  token_quota_exhausted: { status: 402, anthropic: "billing_error", google: "RESOURCE_EXHAUSTED" },
  user_banned: { status: 403, anthropic: "permission_error", google: "PERMISSION_DENIED" },
  ip_not_allowed: { status: 403, anthropic: "permission_error", google: "PERMISSION_DENIED" },
  model_not_allowed: { status: 403, anthropic: "permission_error", google: "PERMISSION_DENIED" },
  group_not_allowed: { status: 403, anthropic: "permission_error", google: "PERMISSION_DENIED" },
  channel_pin_not_allowed: { status: 403, anthropic: "permission_error", google: "PERMISSION_DENIED" },
  insufficient_user_quota: { status: 402, anthropic: "billing_error", google: "RESOURCE_EXHAUSTED" },
  insufficient_token_quota: { status: 402, anthropic: "billing_error", google: "RESOURCE_EXHAUSTED" },
  rate_limit_exceeded: { status: 429, anthropic: "rate_limit_error", google: "RESOURCE_EXHAUSTED" },
  /** A field that no provider is given: its call could not be charged. */
  unsupported_parameter: { status: 400, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  unsupported_service_tier: { status: 400, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  model_price_error: { status: 400, anthropic: "invalid_request_error", google: "FAILED_PRECONDITION" },
  no_available_channel: { status: 503, anthropic: "overloaded_error", google: "UNAVAILABLE" },
  service_unavailable: { status: 503, anthropic: "overloaded_error", google: "UNAVAILABLE" },
  upstream_error: { status: 502, anthropic: "api_error", google: "UNAVAILABLE" },
  upstream_timeout: { status: 504, anthropic: "api_error", google: "DEADLINE_EXCEEDED" },
  stream_interrupted: { status: 502, anthropic: "api_error", google: "UNAVAILABLE" },
  api_not_implemented: { status: 501, anthropic: "api_error", google: "UNIMPLEMENTED" },
  /** The caller's ceiling does not cover the prompt and some of a response. */
  max_cost_exceeded: { status: 400, anthropic: "invalid_request_error", google: "FAILED_PRECONDITION" },
  /** The first call with an idempotency key has no response that could be sent. */
  idempotency_conflict: { status: 409, anthropic: "invalid_request_error", google: "ABORTED" },
  idempotency_key_reused: { status: 422, anthropic: "invalid_request_error", google: "INVALID_ARGUMENT" },
  internal_error: { status: 500, anthropic: "api_error", google: "INTERNAL" },
} as const satisfies Record<string, { status: number; anthropic: string; google: string }>;

/** A balance or budget does not cover the call (docs/decisions/056). */
export const isQuotaError = ({ code }: { readonly code: RelayErrorCode }): boolean =>
  code === "insufficient_user_quota" || code === "insufficient_token_quota" || code === "token_quota_exhausted";

export type RelayErrorCode = keyof typeof RELAY_ERRORS;

/** Upstream's error details that callers may see: never keys or addresses. */
export type UpstreamFailure = {
  readonly message: string;
  /** Upstream's own error type, for OpenAI callers; undefined if it sent none. */
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly param: string | undefined;
  /** From the body of upstreams that send no Retry-After header (Gemini). */
  readonly retryAfterSeconds?: number;
  /** The model failed at this call, which is no evidence about the account. */
  readonly isOfModel?: true;
  /** Machine-readable details for callers of the same format: Google's list, Anthropic's object. */
  readonly details?: { readonly format: "anthropic-messages" | "gemini"; readonly value: unknown };
};

/** The codes that callers get where upstream returned no response, or one that could not be read. */
export const UPSTREAM_CODES = { noResponse: "no_answer", badResponse: "bad_answer" } as const;

/** Whether upstream returned no response: the connection was refused, cut or idle for too long. */
export const isNoResponse = (failure: UpstreamFailure | undefined): boolean =>
  failure?.code === UPSTREAM_CODES.noResponse;

/**
 * An error with a representation in every dialect. Local errors (without `upstream`) are never retried and never count
 * against a channel.
 */
export class RelayError extends Error {
  readonly code: RelayErrorCode;
  readonly status: number;
  readonly upstream: UpstreamFailure | undefined;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What upstream counted for the response that failed, which the caller owes; undefined if it reported nothing. */
  readonly usage: TokenUsage | undefined;

  constructor(
    code: RelayErrorCode,
    message: string,
    options: {
      status?: number;
      upstream?: UpstreamFailure;
      param?: string;
      retryAfterSeconds?: number;
      usage?: TokenUsage | undefined;
      cause?: unknown;
    } = {},
  ) {
    // The stack of a client error is never read, so it is not captured; an internal failure is its cause, which has its
    // own stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "RelayError";
    this.code = code;
    this.status = options.status ?? RELAY_ERRORS[code].status;
    this.upstream = options.upstream;
    this.param = options.param;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.usage = options.usage;
  }
}
