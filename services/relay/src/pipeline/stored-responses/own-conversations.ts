import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { asInput } from "../response-items/inline-items.ts";
import { refuseUnreadable, type StoredContent, type StoredResponses } from "./stored-responses.ts";

/** Ids of conversations that the relay keeps: a ULID, a form that sealed ids do not have. */
const OWN_ID = /^conv_[0-9A-HJKMNP-TV-Z]{26}$/;

/** A conversation of one user, by the id that the caller knows. */
export type ConversationPlace = { readonly userId: number; readonly id: string };

/** The conversation of a call, and what adds the call's input to it with the output of its response. */
export type JoinedConversation = { readonly id: string; readonly add: (output: readonly Json[]) => Promise<unknown> };

/** Whether Turnpike made an id; the conversation may be of another user, or not stored. */
export const isOwnConversationId = (id: string): boolean => OWN_ID.test(id);

/** The id in the field `conversation` of a request, if Turnpike keeps that conversation. */
export function getOwnConversation({ conversation }: Json): string | undefined {
  const id = asText(asObject(conversation)?.["id"] ?? conversation);
  return id !== undefined && isOwnConversationId(id) ? id : undefined;
}

/** An item as a conversation lists it: with an id, and with its content as parts. */
function toStored(item: Json): Json {
  const { id, content } = item;
  if ((item["type"] ?? "message") !== "message") return { ...item, id: asText(id) ?? `item_${newRequestId()}` };
  const type = item["role"] === "assistant" ? "output_text" : "input_text";
  const parts = typeof content === "string" ? [{ type, text: content }] : content;
  return { status: "completed", ...item, type: "message", id: asText(id) ?? `msg_${newRequestId()}`, content: parts };
}

/** An item of a conversation as the input of a call. Reasoning without encrypted content cannot be sent back. */
function toInput(item: Json): Json[] {
  if (item["type"] === "reasoning" && !asText(item["encrypted_content"])) return [];
  if (item["type"] !== "message" || item["role"] === "assistant") return [asInput(item)];
  const { id: _id, status: _status, ...input } = item;
  return [input];
}

/** The items of a conversation as the input of the next call. */
export const toConversationInput = ({ input }: StoredContent): Json[] => input.flatMap(toInput);

function refuseFull(): never {
  const why = "the conversation cannot be stored: it is too large, or the storage is full";
  throw new RelayError("service_unavailable", why, { retryAfterSeconds: 60 });
}

/**
 * Conversations that Turnpike keeps for models whose providers keep none, in the same storage and bounds as responses. Items are added by
 * their callers, and by every response of the conversation. All methods throw service_unavailable while Redis is down.
 */
export class OwnConversations {
  readonly #responses: StoredResponses;

  constructor(responses: StoredResponses) {
    this.#responses = responses;
  }

  /** False if this site stores nothing. */
  isKept(): boolean {
    return this.#responses.getSeconds() > 0;
  }

  /** Makes a conversation. Throws service_unavailable if no space is left. */
  async create(userId: number, metadata: Json, items: readonly Json[], nowMs: number): Promise<Json> {
    const id = `conv_${newRequestId()}`;
    const response = { id, object: "conversation", created_at: Math.floor(nowMs / 1000), metadata };
    const content = { response, input: items.map(toStored) };
    const put = this.#responses.put({ userId, id }, content, { isRunning: false, isUpdate: false });
    if (!(await put.catch(refuseUnreadable))) refuseFull();
    return response;
  }

  /** Undefined if the user has no such conversation. */
  read(place: ConversationPlace): Promise<StoredContent | undefined> {
    return this.#responses.read(place).catch(refuseUnreadable);
  }

  async #change(
    place: ConversationPlace,
    change: (content: StoredContent) => StoredContent,
  ): Promise<StoredContent | undefined> {
    const changed = await this.#responses.change(place, change).catch(refuseUnreadable);
    if (!changed && (await this.read(place))) refuseFull();
    return changed;
  }

  /** Undefined if the user has no such conversation. */
  setMetadata(place: ConversationPlace, metadata: Json): Promise<StoredContent | undefined> {
    return this.#change(place, (kept) => ({ ...kept, response: { ...kept.response, metadata } }));
  }

  /** Returns the items as they are stored; undefined if the user has no such conversation. */
  async addItems(place: ConversationPlace, items: readonly Json[]): Promise<Json[] | undefined> {
    const added = items.map(toStored);
    return (await this.#change(place, (kept) => ({ ...kept, input: [...kept.input, ...added] }))) && added;
  }

  /** Undefined if the user has no such conversation. */
  removeItem(place: ConversationPlace, itemId: string): Promise<StoredContent | undefined> {
    return this.#change(place, (kept) => ({ ...kept, input: kept.input.filter(({ id }) => id !== itemId) }));
  }

  /** Returns whether the user had the conversation. */
  remove(place: ConversationPlace): Promise<boolean> {
    return this.#responses.remove(place).catch(refuseUnreadable);
  }
}
