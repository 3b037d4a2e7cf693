import { RelayError } from "../errors/relay-error.ts";
import type { Json } from "../chat/chat.ts";
import { asObject } from "../chat/json.ts";

/**
 * The field under which Anthropic stores conversations: `{type: "create"}`, `{type: "continue", previous_message_id}`.
 */
export const THREAD = "thread";

/** Whether a stored conversation continues: it may have no new messages if a response was not finished. */
export const isThreadContinuation = (body: Json): boolean => asObject(body[THREAD])?.["type"] === "continue";

/**
 * Refuses a conversation that only Anthropic stores: the earlier messages would be missing. Throws RelayError
 * invalid_request.
 */
export function refuseThread(body: Json): void {
  if (!body[THREAD]) return;
  throw new RelayError("invalid_request", `${THREAD}: is not supported for this model: send the whole conversation`, {
    param: THREAD,
  });
}
