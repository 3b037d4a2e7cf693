import { RELAY_ERRORS, type RelayError } from "../../core/errors/relay-error.ts";
import { errorText } from "../shared/error-text.ts";

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  408: "DEADLINE_EXCEEDED",
  413: "INVALID_ARGUMENT",
  422: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
  529: "UNAVAILABLE",
};

/** Google's error body (google.aip.dev/193). */
export function writeGeminiError(error: RelayError, requestId: string): unknown {
  const { code, status, upstream } = error;
  const word = upstream ? STATUS_WORDS[status] : RELAY_ERRORS[code].google;
  const details = upstream?.details?.format === "gemini" ? { details: upstream.details.value } : {};
  return { error: { code: status, message: errorText(error, requestId), status: word ?? "UNKNOWN", ...details } };
}
