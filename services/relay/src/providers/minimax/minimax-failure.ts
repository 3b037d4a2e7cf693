import type { Json } from "../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../core/chat/json.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { getFailure } from "../shared/upstream-failure.ts";

const MINIMAX_STATUS: Readonly<Record<number, number>> = {
  1000: 500,
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1013: 500,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 500,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2042: 400,
  2045: 429,
  2049: 401,
  2054: 400,
  2056: 429,
  20132: 400,
};

/** MiniMax reports failures in `base_resp`, with status 200. */
export function minimaxFailure(body: Json): StreamFailure | undefined {
  const reported = asObject(body["base_resp"]);
  const code = asNumber(reported?.["status_code"]) ?? 0;
  if (code === 0) return undefined;
  const message = asText(reported?.["status_msg"]) || "upstream returned an error";
  return new StreamFailure(getFailure(message, { code: String(code) }), MINIMAX_STATUS[code] ?? 502);
}
