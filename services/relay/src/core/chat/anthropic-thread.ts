import { RelayError } from "../errors/relay-error.ts";
import type { Json } from "./chat.ts";
import { asObject } from "./json.ts";

/** Anthropic itself keeps conversations under this field: `{type: "create"}`, `{type: "continue", previous_message_id}`. */
export const THREAD = "thread";

/** Whether a kept conversation goes on: without new messages where an answer was not finished. */
export const isThreadContinuation = (body: Json): boolean => asObject(body[THREAD])?.["type"] === "continue";

/** Refuses a conversation that only Anthropic keeps: what was said before would be missing. Throws RelayError invalid_request. */
export function refuseThread(body: Json): void {
  if (!body[THREAD]) return;
  throw new RelayError("invalid_request", `${THREAD}: is not supported for this model: send the whole conversation`, {
    param: THREAD,
  });
}
