import type { Json } from "../../core/chat/chat.ts";
import { asText } from "../../core/chat/json.ts";
import { getFailure } from "../shared/upstream-failure.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

const STATUS_BY_CODE: readonly (readonly [RegExp, number])[] = [
  [/^Throttling|LimitExceeded|RateQuota/i, 429],
  [/^InvalidApiKey/i, 401],
  [/^(AccessDenied|Arrearage)/i, 403],
  [/^(Invalid|DataInspection|BadRequest|IPInfringement|ModelNotFound)/i, 400],
];

/** The URL of DashScope's own services, for any of its base URLs that the channel may have. */
export const getBase = (like: OpenAiCompatible, { baseUrl }: Target): string =>
  (baseUrl || like.baseUrl).replace(/\/(compatible-mode(\/v1)?|api\/v1)$/, "");

export const authHeaders = ({ key }: Target) => ({ authorization: `Bearer ${key}` });

/** The failure in `{code, message}`, which may also have status 200. */
export function toAliFailure({ code, message }: Json, fallback: string): StreamFailure {
  const word = asText(code) ?? "";
  const status = STATUS_BY_CODE.find(([pattern]) => pattern.test(word))?.[1] ?? 502;
  return new StreamFailure(getFailure(asText(message) || fallback, { code: word || undefined }), status);
}
