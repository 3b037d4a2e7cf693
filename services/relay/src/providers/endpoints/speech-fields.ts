import type { Json } from "../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../core/chat/json.ts";

/** What MiniMax and DashScope speak at; OpenAI's callers may ask for a quarter and for four times. */
const SPEED_MIN = 0.5;
const SPEED_MAX = 2;

/** The voice that OpenAI's callers name, or the id of one of their own. */
export const voiceOf = (body: Json): string | undefined =>
  asText(body["voice"]) ?? asText(asObject(body["voice"])?.["id"]);

/** How fast to speak, within what upstreams take. */
export function speedOf(body: Json): number | undefined {
  const speed = asNumber(body["speed"]);
  return speed === undefined ? undefined : Math.min(Math.max(speed, SPEED_MIN), SPEED_MAX);
}
