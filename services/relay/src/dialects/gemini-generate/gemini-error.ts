import { type FailureCause, getFailureCause, readTokenCounts } from "../../core/errors/failure-cause.ts";
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

/** Google's statuses for what its clients react to. */
const WORD_BY_CAUSE: Readonly<Record<FailureCause, string>> = {
  "context-length": "INVALID_ARGUMENT",
  quota: "RESOURCE_EXHAUSTED",
  "rate-limit": "RESOURCE_EXHAUSTED",
  overload: "UNAVAILABLE",
  "content-policy": "INVALID_ARGUMENT",
};

const TOO_LONG = /exceeds the maximum number of tokens/i;

/** The text of a failure in the words by which Google's clients compact a conversation. */
function getMessage(error: RelayError, cause: FailureCause | undefined, requestId: string): string {
  const message = errorText(error, requestId);
  if (cause !== "context-length" || TOO_LONG.test(message)) return message;
  const counts = readTokenCounts(message);
  const [used, limit] = counts ? [` (${counts.used})`, ` (${counts.limit})`] : ["", ""];
  return `The input token count${used} exceeds the maximum number of tokens allowed${limit}: ${message}`;
}

/** Google's own details, or how long to wait. */
function getDetails({ upstream, retryAfterSeconds }: RelayError, cause: FailureCause | undefined) {
  if (upstream?.details?.format === "gemini") return { details: upstream.details.value };
  const seconds = retryAfterSeconds ?? upstream?.retryAfterSeconds;
  if (cause !== "rate-limit" || seconds === undefined) return {};
  return { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` }] };
}

/** Google's error body (google.aip.dev/193). */
export function writeGeminiError(error: RelayError, requestId: string): unknown {
  const { code, status, upstream } = error;
  const cause = getFailureCause(error);
  const ofUpstream = cause ? WORD_BY_CAUSE[cause] : STATUS_WORDS[status];
  const word = (upstream ? ofUpstream : RELAY_ERRORS[code].google) ?? "UNKNOWN";
  const message = getMessage(error, cause, requestId);
  return { error: { code: status, message, status: word, ...getDetails(error, cause) } };
}
