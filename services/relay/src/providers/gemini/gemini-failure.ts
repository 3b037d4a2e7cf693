import type { Json } from "../../chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../chat/json.ts";
import type { UpstreamFailure } from "../../errors/relay-error.ts";
import { failureOf, readFailure, statusFailure } from "../failure.ts";
import { StreamFailure } from "../provider.ts";

/** `34.4s` as whole seconds, rounded up. */
function readSeconds(value: unknown): number | undefined {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(asText(value) ?? "");
  return match ? Math.ceil(Number(match[1])) : undefined;
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
