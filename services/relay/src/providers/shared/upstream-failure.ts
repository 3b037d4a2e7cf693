import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asList, asNumber, asObject, asText, mapTexts } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

const MESSAGE_LENGTH_MAX = 2000;

/** Text that must not reach a caller: keys in providers' formats, addresses, and values after `key=` or `Bearer`. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/[^\s"'<>)]*[^\s"'<>).,;]/gi, "[address]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, "[address]"],
  [/\b(?:sk|rk|pk|gsk|xai|pplx|sess)-[\w*.-]{3,}[\w*]/gi, "[key]"],
  [/\bAIza[\w*-]{4,}/g, "[key]"],
  [/\b(bearer\s+|(?:api[-_ ]?)?key=)[\w*.~+/=-]{4,}/gi, "$1[key]"],
];

/** Upstream's text, shortened to a readable length and without keys and addresses. */
export function redact(text: string): string {
  let safe = text.slice(0, MESSAGE_LENGTH_MAX);
  for (const [pattern, replacement] of SECRETS) safe = safe.replace(pattern, replacement);
  return safe;
}

/** Sanitizes every string in a value. */
export const redactWithin = (value: unknown): unknown => mapTexts(value, redact);

/** Builds a failure from its parts, with a sanitized message. */
export const getFailure = (
  message: string,
  words: Partial<Omit<UpstreamFailure, "message">> = {},
): UpstreamFailure => ({
  type: undefined,
  code: undefined,
  param: undefined,
  ...words,
  message: redact(message),
});

const word = (value: unknown): string | undefined => asText(value) || asNumber(value)?.toString();

/** A message, or the first of a list of field errors (FastAPI's 422). */
function getSentence(value: unknown): string | undefined {
  const list = asList(asObject(value)?.["detail"] ?? value);
  return asText(value) ?? asText(asObject(list[0])?.["msg"]);
}

/** Other fields where OpenAI-compatible upstreams put the message when it is not in `error.message`. */
function looseMessage(body: Json): string | undefined {
  const candidates = [
    body["error_description"],
    body["error"],
    body["message"],
    body["msg"],
    body["err"],
    body["error_msg"],
    body["detail"],
    asObject(asList(body["errors"])[0])?.["message"],
    asObject(body["header"])?.["message"],
    asObject(asObject(body["response"])?.["error"])?.["message"],
  ];
  return candidates.map(getSentence).find((text) => text !== undefined && text !== "");
}

/** Some providers return a plain-text message; HTML pages of proxies are excluded. */
const isSentence = (text: string): boolean => text.trim() !== "" && text.length <= 300 && !/[<{\n]/.test(text);

/**
 * Parses a body in the usual `{error: {message, type, code, param}}` format; undefined if it contains nothing readable.
 */
export function readFailure(value: unknown): UpstreamFailure | undefined {
  const body = asObject(value);
  if (!body) return typeof value === "string" && isSentence(value) ? getFailure(value) : undefined;
  const error = asObject(body["error"]);
  const message = asText(error?.["message"]);
  if (error && message) {
    return getFailure(message, { type: word(error["type"]), code: word(error["code"]), param: word(error["param"]) });
  }
  const loose = looseMessage(body);
  if (loose === undefined) return undefined;
  // Token endpoints return a code and a description (RFC 6749, 5.2).
  const code = body["error_description"] === undefined ? body["code"] : body["error"];
  return getFailure(loose, { code: word(code), type: word(body["type"]) });
}

/** The failure of a response without readable content (HTML of a proxy, an empty body). */
export const statusFailure = (status: number): UpstreamFailure =>
  getFailure(`bad response status code ${status}`, { type: "upstream_error", code: "bad_response_status_code" });

/** An event's data as an object; throws StreamFailure if it is not JSON or not an object. */
export function parseEventData(data: string): Json {
  const chunk = asObject(parseExactJson(data));
  if (!chunk) throw new StreamFailure(getFailure("upstream sent an unreadable stream event", { code: "bad_stream" }));
  return chunk;
}

/** The failure of a 200 response that is not in the provider's format. */
export const unreadableResponse = (): StreamFailure =>
  new StreamFailure(getFailure("upstream sent an unreadable response", { code: "bad_response_body" }));

const STATUS_BY_WORD: readonly (readonly [RegExp, number])[] = [
  [/rate_?limit|insufficient_quota|RESOURCE_EXHAUSTED/i, 429],
  [/billing_error/i, 402],
  [/overloaded|UNAVAILABLE/i, 529],
  [/authentication|invalid_api_key|UNAUTHENTICATED/i, 401],
  [/permission/i, 403],
  [/not_found/i, 404],
  [/context_length|exceed_context_size/i, 400],
  [/invalid_request|invalid_argument|content_filter/i, 400],
  [/timeout|DEADLINE_EXCEEDED/i, 504],
];

/** The HTTP status for a failure reported by text or by a numeric code; 502 if neither determines it. */
export function getFailureStatus({ type, code }: UpstreamFailure): number {
  const number = Number(code);
  if (Number.isInteger(number) && number >= 400 && number <= 599) return number;
  const words = `${type ?? ""} ${code ?? ""}`;
  return STATUS_BY_WORD.find(([pattern]) => pattern.test(words))?.[1] ?? 502;
}

/**
 * The failure in a chunk or a response that contains only an error message (`{code, message}`, `{detail}`, `{errors}`).
 */
export function bareFailure(body: Json): StreamFailure | undefined {
  const isResponse = ["choices", "object", "usage", "id"].some((name) => body[name] !== undefined);
  return isResponse || readFailure(body) === undefined ? undefined : errorInside(body);
}

/** The failure reported by a 200 response or a stream event in place of content. */
export function errorInside(body: Json): StreamFailure {
  const failure = readFailure(body) ?? getFailure("upstream returned an error");
  return new StreamFailure(failure, getFailureStatus(failure));
}
