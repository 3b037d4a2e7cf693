import { THREAD } from "../../core/chat/anthropic-thread.ts";
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

function errorType({ code, status, upstream }: RelayError): string {
  if (!upstream) return RELAY_ERRORS[code].anthropic;
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
  return {
    type: "error",
    error: { type: errorType(error), message: errorText(error, requestId), ...getDetails(error) },
    request_id: requestId,
  };
}
