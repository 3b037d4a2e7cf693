import { setTimeout as delay } from "node:timers/promises";
import { patchBody, withBody } from "../../core/call/call-body.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { estimatePrompt } from "../prepare/read/call-reader.ts";
import { asInput } from "../response-items/inline-items.ts";
import {
  getOwnConversation,
  type JoinedConversation,
  OwnConversations,
  toConversationInput,
} from "./own-conversations.ts";
import { toReasoningItems } from "./signed-reasoning.ts";
import { refuseUnreadable, type StoredContent, type StoredResponse, type StoredResponses } from "./stored-responses.ts";

const PREVIOUS = "previous_response_id";
/** Ids of responses that the relay writes: the call's id (a ULID), a form that sealed ids do not have. */
const OWN_ID = /^resp_([0-9A-HJKMNP-TV-Z]{26})$/;
const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** A response is stored at its end, which its client may see first: a call that continues a recent one looks again. */
const RECENT_MS = 15 * 60_000;
const LOOKS = 5;
const LOOK_MS = 100;

/** Whether Turnpike made an id; the response may be of another user, or not stored. */
export const isOwnResponseId = (id: string): boolean => OWN_ID.test(id);

function isRecent(id: string, nowMs: number): boolean {
  const time = (OWN_ID.exec(id)?.[1] ?? "").slice(0, 10);
  let ms = 0;
  for (const digit of time) ms = ms * 32 + ULID_DIGITS.indexOf(digit);
  return Math.abs(nowMs - ms) < RECENT_MS;
}

/** The input of a request as items. */
export const toItems = (input: unknown): Json[] =>
  typeof input === "string"
    ? [{ type: "message", role: "user", content: [{ type: "input_text", text: input }] }]
    : asList(input).map((item) => asObject(item) ?? {});

/** The output of a response as input of the next one; reasoning is kept where it can be sent back. */
const toNextInput = ({ response, reasoning }: StoredContent): Json[] => [
  ...toReasoningItems(reasoning),
  ...asObjects(response["output"])
    .filter((item) => item["type"] !== "reasoning" || asText(item["encrypted_content"]))
    .map(asInput),
];

/** The call with the prompt of its body estimated anew. */
export const withEstimate = (call: Omit<RelayCall, "estimatePromptTokens">): RelayCall => ({
  ...call,
  estimatePromptTokens: estimatePrompt(call.dialect, call.body, call.model),
});

/** A call with what its `previous_response_id` stands for, and the id as the caller wrote it. */
export type ContinuedCall = {
  readonly call: RelayCall;
  readonly previous: string | undefined;
  /** The conversation before this call's own input. */
  readonly earlier: readonly Json[];
  /** The conversation of the call, if Turnpike keeps it. */
  readonly conversation?: JoinedConversation;
};

async function findPrevious(
  responses: StoredResponses,
  place: { readonly userId: number; readonly id: string },
  nowMs: number,
): Promise<StoredResponse | undefined> {
  const looks = isRecent(place.id, nowMs) ? LOOKS : 1;
  for (let look = 1; ; look++) {
    const found = await responses.read(place).catch(refuseUnreadable);
    if (found || look === looks) return found;
    await delay(LOOK_MS);
  }
}

/** Inserts the items of a conversation that Turnpike keeps. Throws not_found. */
async function joinConversation(responses: StoredResponses, call: RelayCall, id: string): Promise<ContinuedCall> {
  if (asText(call.body[PREVIOUS]))
    throw new RelayError("invalid_request", `${PREVIOUS}: cannot be used with conversation`, { param: PREVIOUS });
  const { userId } = call.admitted.caller.known.token;
  const conversations = new OwnConversations(responses);
  const found = await conversations.read({ userId, id });
  if (!found) throw new RelayError("not_found", "conversation: not found", { param: "conversation" });
  const earlier = toConversationInput(found);
  const { conversation: _conversation, [PREVIOUS]: _previous, ...others } = call.body;
  const input = toItems(call.body["input"]);
  const body = { ...others, input: [...earlier, ...input] };
  const add = (output: readonly Json[]) => conversations.addItems({ userId, id }, [...input, ...output]);
  return { call: withEstimate(withBody(call, body)), previous: undefined, earlier, conversation: { id, add } };
}

/**
 * Inserts the conversation of a stored response that a call continues. Ids that are not Turnpike's, not stored or of another user are
 * left to the state binding, which refuses those that no account keeps, all alike.
 */
export async function continueCall(responses: StoredResponses, call: RelayCall, nowMs: number): Promise<ContinuedCall> {
  const conversation = getOwnConversation(call.body);
  if (conversation !== undefined) return joinConversation(responses, call, conversation);
  const previous = asText(call.body[PREVIOUS]);
  if (previous === undefined || !isOwnResponseId(previous)) return { call, previous: undefined, earlier: [] };
  const { userId } = call.admitted.caller.known.token;
  const found = await findPrevious(responses, { userId, id: previous }, nowMs);
  if (!found) return { call, previous: undefined, earlier: [] };
  if (found.isRunning) {
    const why = `${PREVIOUS}: the response is still in progress; continue it when it is completed`;
    throw new RelayError("invalid_request", why, { param: PREVIOUS });
  }
  const earlier = [...found.input, ...toNextInput(found)];
  if (found.continues !== undefined) {
    const own = { [PREVIOUS]: found.continues };
    return { call: withEstimate(patchBody(call, own)), previous, earlier };
  }
  const { [PREVIOUS]: _previous, ...others } = call.body;
  const body = { ...others, input: [...earlier, ...toItems(call.body["input"])] };
  return { call: withEstimate(withBody(call, body)), previous, earlier };
}
