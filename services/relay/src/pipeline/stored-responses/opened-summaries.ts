import type { HandleCall } from "../../core/call/exchange.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { patchBody } from "../../core/call/call-body.ts";
import { withEstimate } from "./continued-calls.ts";
import type { StateCodec } from "../provider-state/state-codec.ts";

/** The second is the name that Codex gives such items. */
const TYPES: ReadonlySet<unknown> = new Set(["compaction", "compaction_summary"]);

const HEADING = "Summary of the conversation so far, which it replaces:";

const toMessage = (summary: string): unknown => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: `${HEADING}\n\n${summary}` }],
});

/**
 * The call with the compactions that Turnpike sealed for this user as messages, which every channel reads. Those that cannot be
 * opened stay: the state binding refuses what no account can read.
 */
export function openSummaries(codec: StateCodec, call: RelayCall): RelayCall {
  const { userId } = call.admitted.caller.known.token;
  const given = asList(call.body["input"]);
  const input = given.map((value) => {
    const item = asObject(value);
    if (!item || !TYPES.has(item["type"])) return value;
    const summary = codec.openSummary(userId, asText(item["encrypted_content"]) ?? "");
    return summary === undefined ? value : toMessage(summary);
  });
  if (input.every((item, at) => item === given[at])) return call;
  return withEstimate(patchBody(call, { input }));
}

/** Opens the summaries in the input of responses calls, before prompts are checked. */
export const withSummaries =
  (serve: HandleCall, codec: StateCodec): HandleCall =>
  (call, exchange) =>
    serve(call.dialect.refersToItems ? openSummaries(codec, call) : call, exchange);
