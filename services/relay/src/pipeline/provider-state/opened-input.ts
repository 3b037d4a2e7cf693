import { isEncodedReasoning } from "../../core/chat/encrypted-reasoning.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { isReference } from "../../dialects/openai-responses/responses-wire.ts";
import { getItemRequestId } from "../response-items/stored-items.ts";
import type { OpenedState, StateCodec, StateOwner } from "./state-codec.ts";

/** Items that are complete without their id, which may be omitted for another account. */
const COMPLETE_ITEMS: ReadonlySet<unknown> = new Set([
  undefined,
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "tool_search_call",
  "tool_search_output",
]);

/** What a request's input item holds of an account's state. */
export type OpenedItem = {
  readonly item: unknown;
  readonly path: string;
  readonly id?: OpenedState;
  /** The item is only its id, or an account stores what it consists of. */
  readonly needsId: boolean;
  /** The id cannot be opened, and the item consists of nothing else. */
  readonly isUnknown: boolean;
  readonly approval?: OpenedState;
  readonly content?: OpenedState;
  /** Encrypted content that was not sealed for this caller. */
  readonly isContentLost: boolean;
  /** The encrypted content is reasoning, without which the conversation is still complete. Compacted items are the conversation. */
  readonly isReasoning: boolean;
};

const isEncrypted = (item: Json): boolean => {
  const content = asText(item["encrypted_content"]);
  return content !== undefined && content !== "" && !isEncodedReasoning(content);
};

function openItem(codec: StateCodec, userId: number, value: unknown, at: number): OpenedItem {
  const item = asObject(value) ?? {};
  const open = (id: unknown): OpenedState | undefined =>
    typeof id === "string" ? codec.openId(userId, id) : undefined;
  const id = asText(item["id"]);
  const opened = open(id);
  const approval = open(item["approval_request_id"]);
  const isOnlyId = isReference(item);
  const content = isEncrypted(item) ? codec.openContent(userId, String(item["encrypted_content"])) : undefined;
  // Reasoning without encrypted content is at its account.
  const isStoredReasoning = item["type"] === "reasoning" && !item["encrypted_content"];
  const needsId = isOnlyId || isStoredReasoning || !COMPLETE_ITEMS.has(item["type"]);
  return {
    item: value,
    path: `input[${at}]`,
    needsId: (opened !== undefined && needsId) || approval !== undefined,
    isUnknown: isOnlyId && id !== undefined && !opened && getItemRequestId(id) === undefined,
    isContentLost: isEncrypted(item) && !content,
    isReasoning: item["type"] === "reasoning",
    ...(opened ? { id: opened } : {}),
    ...(approval ? { approval } : {}),
    ...(content ? { content } : {}),
  };
}

/** The items of a request's input, with what they hold of an account's state. */
export const openInput = (codec: StateCodec, userId: number, body: Json): OpenedItem[] =>
  asList(body["input"]).map((item, at) => openItem(codec, userId, item, at));

export const isSameOwner = (one: StateOwner, other: StateOwner): boolean =>
  one.channelId === other.channelId && one.keyName === other.keyName;

/**
 * An item as its account knows it: with the account's own ids and encrypted content. Encrypted reasoning of others is
 * omitted with its item, as are ids of others where the item is complete without. `owner` is undefined if no account
 * is bound.
 */
export function writeItem(opened: OpenedItem, owner: StateOwner | undefined): unknown[] {
  const { item, id, content, approval, isContentLost } = opened;
  const isOurs = (state: OpenedState | undefined): boolean =>
    state !== undefined && owner !== undefined && isSameOwner(state.owner, owner);
  if (isContentLost || (content && !isOurs(content))) return [];
  if (!id && !content && !approval) return [item];
  const { id: givenId, ...fields } = asObject(item) ?? {};
  const keptId = id ? (isOurs(id) ? { id: id.value } : {}) : givenId === undefined ? {} : { id: givenId };
  return [
    {
      ...fields,
      ...keptId,
      ...(content ? { encrypted_content: content.value } : {}),
      ...(approval ? { approval_request_id: approval.value } : {}),
    },
  ];
}
