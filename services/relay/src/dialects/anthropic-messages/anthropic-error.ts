import { THREAD } from "../../core/vendors/anthropic-thread.ts";
import { type FailureCause, getFailureCause, readTokenCounts } from "../../core/errors/failure-cause.ts";
import { RELAY_ERRORS, type RelayError } from "../../core/errors/relay-error.ts";
import { errorText } from "../shared/error-text.ts";

const TYPE_BY_STATUS: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  422: "invalid_request_error",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const ANTHROPIC_TYPES: ReadonlySet<string> = new Set([...Object.values(TYPE_BY_STATUS), "api_error"]);

/** OpenAI's code is used for refused keys and unknown models too, where Anthropic has error types of its own. */
const GENERAL_TYPE = "invalid_request_error";

/** Anthropic's types for what its clients react to. */
const TYPE_BY_CAUSE: Readonly<Record<FailureCause, string>> = {
  "context-length": "invalid_request_error",
  quota: "billing_error",
  "rate-limit": "rate_limit_error",
  overload: "overloaded_error",
  "content-policy": "invalid_request_error",
};

/** How Anthropic's own texts report that a prompt is too long, alone or together with `max_tokens`. */
const TOO_LONG = /prompt is too long|exceed context limit/i;
const FILTERED = /content filtering policy/i;

/** The text of a failure in the words by which Anthropic's clients compact a conversation or give up. */
function getMessage(error: RelayError, cause: FailureCause | undefined, requestId: string): string {
  const message = errorText(error, requestId);
  if (cause === "content-policy" && !FILTERED.test(message)) return `Blocked by content filtering policy: ${message}`;
  if (cause !== "context-length" || TOO_LONG.test(message)) return message;
  const counts = readTokenCounts(message);
  return counts
    ? `prompt is too long: ${counts.used} tokens > ${counts.limit} maximum (${message})`
    : `prompt is too long: ${message}`;
}

function errorType({ code, status, upstream }: RelayError, cause: FailureCause | undefined): string {
  if (!upstream) return RELAY_ERRORS[code].anthropic;
  if (cause && !(upstream.type !== undefined && ANTHROPIC_TYPES.has(upstream.type))) return TYPE_BY_CAUSE[cause];
  const { type } = upstream;
  const ofStatus = TYPE_BY_STATUS[status];
  if (type === undefined || !ANTHROPIC_TYPES.has(type)) return ofStatus ?? "api_error";
  return type === GENERAL_TYPE ? (ofStatus ?? type) : type;
}

/**
 * The machine-readable error details: Anthropic's own, and a code for conversations that cannot be stored, after which
 * clients send the whole conversation.
 */
function getDetails({ upstream, param }: RelayError): object {
  if (upstream?.details?.format === "anthropic-messages") return { details: upstream.details.value };
  return !upstream && param === THREAD ? { details: { error_code: "thread_unsupported_request" } } : {};
}

/** Anthropic's error body; the type is always one of Anthropic's, whatever the source of the failure. */
export function writeAnthropicError(error: RelayError, requestId: string) {
  const cause = getFailureCause(error);
  return {
    type: "error",
    error: { type: errorType(error, cause), message: getMessage(error, cause, requestId), ...getDetails(error) },
    request_id: requestId,
  };
}
