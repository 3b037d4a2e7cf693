import { RelayError } from "../errors/relay-error.ts";
import type { Json } from "./chat.ts";

/** Anthropic itself keeps conversations under this field: `{type: "create"}`, `{type: "continue", previous_message_id}`. */
export const THREAD = "thread";

/** Refuses a conversation that only Anthropic keeps: what was said before would be missing. Throws RelayError invalid_request. */
export function refuseThread(body: Json): void {
  if (!body[THREAD]) return;
  throw new RelayError("invalid_request", `${THREAD}: is not supported for this model: send the whole conversation`, {
    param: THREAD,
  });
}
