import { RELAY_ERRORS, type RelayError } from "../../errors/relay-error.ts";
import { errorText } from "../error-text.ts";

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

function errorType({ code, status, upstream }: RelayError): string {
  if (!upstream) return RELAY_ERRORS[code].anthropic;
  if (upstream.type !== undefined && ANTHROPIC_TYPES.has(upstream.type)) return upstream.type;
  return TYPE_BY_STATUS[status] ?? "api_error";
}

/** Anthropic's error body; the type is always one of Anthropic's words, whoever failed. */
export function writeAnthropicError(error: RelayError, requestId: string) {
  return {
    type: "error",
    error: { type: errorType(error), message: errorText(error, requestId) },
    request_id: requestId,
  };
}
