import type { Json } from "../../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../../core/chat/json.ts";

/** The speed range of MiniMax and DashScope; OpenAI callers may request 0.25 to 4. */
const SPEED_MIN = 0.5;
const SPEED_MAX = 2;

/** The voice that OpenAI callers name, or the id of a custom voice. */
export const getVoice = (body: Json): string | undefined =>
  asText(body["voice"]) ?? asText(asObject(body["voice"])?.["id"]);

/** The speaking speed, clamped to upstream's range. */
export function parseSpeed(body: Json): number | undefined {
  const speed = asNumber(body["speed"]);
  return speed === undefined ? undefined : Math.min(Math.max(speed, SPEED_MIN), SPEED_MAX);
}
