import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { failureOf, readFailure, redactWithin, statusFailure } from "../shared/upstream-failure.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

/** `34.4s` as whole seconds, rounded up. */
function readSeconds(value: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(asText(value) ?? "");
  return match ? Math.ceil(Number(match[1])) : undefined;
}

/** Kinds of details that say nothing of the account, and the fields of them that callers' programs read (google.aip.dev/193). */
const DETAIL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "google.rpc.BadRequest": ["fieldViolations"],
  "google.rpc.ErrorInfo": ["reason", "domain"],
  "google.rpc.QuotaFailure": ["violations"],
  "google.rpc.RetryInfo": ["retryDelay"],
};

/** What of the details may be passed on. */
function tellable(details: readonly Json[]): Pick<UpstreamFailure, "details"> {
  const told = details.flatMap((detail) => {
    const type = asText(detail["@type"]) ?? "";
    const fields = DETAIL_FIELDS[type.slice(type.lastIndexOf("/") + 1)] ?? [];
    const kept = fields.filter((name) => detail[name] !== undefined).map((name) => [name, detail[name]] as const);
    return kept.length === 0 ? [] : [{ "@type": type, ...Object.fromEntries(kept) }];
  });
  return told.length === 0 ? {} : { details: { format: "gemini", value: redactWithin(told) } };
}

/** Google's `{error: {code, message, status, details}}`; streams without `alt=sse` wrap it in a list. */
export function readGeminiFailure(value: unknown): UpstreamFailure | undefined {
  const body = asObject(Array.isArray(value) ? (value as unknown[])[0] : value);
  const error = asObject(body?.["error"]);
  const message = asText(error?.["message"]);
  if (!error || !message) return readFailure(body);
  const details = asList(error["details"]).map((detail) => asObject(detail) ?? {});
  const reason = details.map((detail) => asText(detail["reason"])).find((text) => text !== undefined);
  const retryAfterSeconds = details.map((detail) => readSeconds(detail["retryDelay"])).find((n) => n !== undefined);
  return failureOf(message, {
    type: asText(error["status"]),
    code: reason ?? asNumber(error["code"])?.toString(),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...tellable(details),
  });
}

/** What a non-2xx answer says. */
export const parseGeminiError = (status: number, body: unknown): UpstreamFailure =>
  readGeminiFailure(body) ?? statusFailure(status);

/** The failure that a 200 answer or an event tells of. */
export function geminiErrorInside(body: Json): StreamFailure {
  const failure = readGeminiFailure(body) ?? failureOf("upstream answered with an error");
  return new StreamFailure(failure, asNumber(asObject(body["error"])?.["code"]) ?? 502);
}
