import type { Choice } from "../../core/call/channel.ts";
import type { ResponseSeal } from "../../core/call/response-seal.ts";
import type { Json } from "../../core/chat/chat.ts";
import { asCount, asObject, asText } from "../../core/chat/json.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { formatEvent } from "../../core/wire/stream.ts";
import { replaceResourceIds } from "./resource-ids.ts";
import type { StateCodec } from "./state-codec.ts";

/** Fields that hold an id of upstream's, in responses, their items and events. */
const ID_FIELDS = ["id", "previous_response_id", "item_id", "approval_request_id", "first_id", "last_id"] as const;
/** Lists of items: of a response, and of the input of a stored one. */
const ITEM_LISTS = ["output", "data"] as const;
/** Events of one piece of text, by far the most: only their item id is replaced, without parsing the rest. */
const ITEM_ID = /"item_id":\s*"([^"\\]+)"/;
const HAS_OBJECTS = /"(?:response|item|part|annotation)":\s*\{/;

/** Receives the sealed id of a response that upstream stores, with its total tokens. */
export type OnStored = (sealedId: string, tokens: number) => void;

function reportStored(response: Json, onStored: OnStored | undefined): void {
  const tokens = onStored && asCount(asObject(response["usage"])?.["total_tokens"]);
  const id = asText(response["id"]);
  if (tokens && id !== undefined && response["object"] === "response" && response["store"] !== false)
    onStored(id, tokens);
}

/**
 * Seals the ids and encrypted contents in the responses of one attempt, before the caller receives them. `choice` is the
 * account that minted them.
 */
export function createResponseSeal(
  codec: StateCodec,
  userId: number,
  choice: Choice,
  onStored?: OnStored,
): ResponseSeal {
  const owner = codec.getOwner(choice);
  const sealed = new Map<string, string>();
  const sealId = (id: string): string => {
    const known = sealed.get(id) ?? codec.sealId(userId, owner, id);
    sealed.set(id, known);
    return known;
  };

  const sealObject = (value: Json): Json => {
    const object: Record<string, unknown> = { ...value };
    for (const name of ID_FIELDS) {
      const id = object[name];
      if (typeof id === "string" && id !== "") object[name] = sealId(id);
    }
    const content = asText(object["encrypted_content"]);
    if (content) object["encrypted_content"] = codec.sealContent(userId, owner, content);
    for (const name of ["response", "item"]) {
      const inner = asObject(object[name]);
      if (inner) object[name] = sealObject(inner);
    }
    for (const name of ITEM_LISTS) {
      const items = object[name];
      if (Array.isArray(items)) object[name] = items.map((item: unknown) => sealAny(item));
    }
    reportStored(object, onStored);
    return object;
  };
  const sealAll = (value: Json): Json => sealObject(replaceResourceIds(value, sealId));
  const sealAny = (value: unknown): unknown => {
    const object = asObject(value);
    return object ? sealObject(object) : value;
  };

  const sealData = (data: string): string => {
    if (!HAS_OBJECTS.test(data))
      return data.replace(ITEM_ID, (_, id: string) => `"item_id":${JSON.stringify(sealId(id))}`);
    const event = asObject(parseExactJson(data));
    return event ? JSON.stringify(sealAll(event)) : data;
  };
  return {
    body(raw) {
      const response = asObject(parseExactJson(raw.toString("utf8")));
      return response ? Buffer.from(JSON.stringify(sealAll(response))) : raw;
    },
    event: ({ event, data }) => Buffer.from(formatEvent({ event, data: sealData(data) })),
  };
}
