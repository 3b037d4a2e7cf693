import type { FallbackCause } from "@turnpike/contract/options/model-routes";
import { isQuotaError, RelayError, type RelayErrorCode } from "../../core/errors/relay-error.ts";

/** How the gateway refuses a model: unknown, not allowed to the token, without a price, or not served on the endpoint. */
const MODEL_REFUSALS: ReadonlySet<RelayErrorCode> = new Set([
  "model_not_found",
  "model_not_allowed",
  "model_price_error",
  "invalid_request",
]);

/**
 * How providers report a prompt that is too long: OpenAI's code, and the texts of Anthropic ("prompt is too long"), Google ("input token
 * count exceeds"), and compatible providers.
 */
const CONTEXT_LENGTH =
  /context_length_exceeded|string_above_max_length|context (length|window)|maximum (context|prompt|input)|prompt is too long|input (is )?too long|too many (input )?tokens|input token count/i;
/**
 * How they report a filtered prompt: by codes, or by text alone ("Output blocked by content filtering policy" of Anthropic). The name of
 * a parameter (`safety_identifier`) is none.
 */
const CONTENT_FILTER =
  /content[ _-]?(filter|policy|management)|moderation_blocked|\bsafety\b|responsible_?ai|data_inspection_failed|prohibited_content/i;

const describe = ({ upstream, message }: RelayError): string =>
  upstream ? [upstream.code, upstream.type, upstream.message].join(" ") : message;

function getRefusalCause(error: RelayError): FallbackCause | undefined {
  const text = describe(error);
  if (CONTEXT_LENGTH.test(text)) return "context_length";
  return CONTENT_FILTER.test(text) ? "content_filter" : undefined;
}

/** Whether the gateway refuses the call's model. A model that a field names (`models`, an advisor) fails the request itself. */
const isModelRefused = ({ upstream, code, param }: RelayError): boolean =>
  upstream === undefined && param === "model" && MODEL_REFUSALS.has(code);

/**
 * The error that a caller gets after two models failed: the later one, except where it only reports that its model could not be
 * tried. If no model could be tried, the first one's error is left, as if the request named no others.
 */
export function selectError(earlier: RelayError | undefined, later: unknown): unknown {
  if (!earlier || !(later instanceof RelayError)) return later;
  const isUntried = isModelRefused(later) || (isModelRefused(earlier) && later.code === "no_available_channel");
  return isUntried ? earlier : later;
}

/**
 * Why another model may serve a failed call; undefined for errors that another model would return as well, and for the
 * gateway's own refusals of the caller or of a field.
 */
export function getFallbackCause(error: unknown): FallbackCause | undefined {
  if (!(error instanceof RelayError)) return undefined;
  if (isQuotaError(error) || error.code === "max_cost_exceeded") return "budget";
  if (error.code === "upstream_timeout") return "timeout";
  if (error.upstream === undefined)
    return error.code === "no_available_channel" || isModelRefused(error) || error.status === 502
      ? "unavailable"
      : undefined;
  if (error.status === 429) return "rate_limit";
  const refusal = error.status < 500 ? getRefusalCause(error) : undefined;
  if (refusal !== undefined) return refusal;
  // A key that upstream refuses, or a model that it does not serve, is no fault of the request.
  return error.status >= 500 || [401, 402, 403, 404].includes(error.status) ? "unavailable" : undefined;
}
