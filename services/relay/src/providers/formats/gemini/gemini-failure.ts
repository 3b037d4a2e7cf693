import type { Json } from "../../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../../core/chat/json.ts";
import type { UpstreamFailure } from "../../../core/errors/relay-error.ts";
import { getFailure, readFailure, redactWithin, statusFailure } from "../../shared/upstream-failure.ts";
import { StreamFailure } from "../../../core/wire/stream.ts";

/** Parses `34.4s` to whole seconds, rounded up. */
function readSeconds(value: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(asText(value) ?? "");
  return match ? Math.ceil(Number(match[1])) : undefined;
}

/** Detail types without account information, and their fields that callers' programs read (google.aip.dev/193). */
const DETAIL_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "google.rpc.BadRequest": ["fieldViolations"],
  "google.rpc.ErrorInfo": ["reason", "domain"],
  "google.rpc.QuotaFailure": ["violations"],
  "google.rpc.RetryInfo": ["retryDelay"],
};

/** The details that may be passed on. */
function tellable(details: readonly Json[]): Pick<UpstreamFailure, "details"> {
  const reported = details.flatMap((detail) => {
    const type = asText(detail["@type"]) ?? "";
    const fields = DETAIL_FIELDS[type.slice(type.lastIndexOf("/") + 1)] ?? [];
    const kept = fields.filter((name) => detail[name] !== undefined).map((name) => [name, detail[name]] as const);
    return kept.length === 0 ? [] : [{ "@type": type, ...Object.fromEntries(kept) }];
  });
  return reported.length === 0 ? {} : { details: { format: "gemini", value: redactWithin(reported) } };
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
  return getFailure(message, {
    type: asText(error["status"]),
    code: reason ?? asNumber(error["code"])?.toString(),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...tellable(details),
  });
}

/** Parses a non-2xx response. */
export const parseGeminiError = (status: number, body: unknown): UpstreamFailure =>
  readGeminiFailure(body) ?? statusFailure(status);

/** The failure reported by a 200 response or an event. */
export function geminiErrorInside(body: Json): StreamFailure {
  const failure = readGeminiFailure(body) ?? getFailure("upstream returned an error");
  return new StreamFailure(failure, asNumber(asObject(body["error"])?.["code"]) ?? 502);
}
