import type { Redis } from "@turnpike/shared/redis/redis";
import type { Json } from "../../core/chat/chat.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";

/** Longer responses are not stored: a later reference to them is refused. */
const ITEMS_BYTES_MAX = 64 * 1024;
/** Ids in the format of responses-wire.ts, which contain the id of the call. */
const OWN_ID = /^(msg|fc|ctc|lsh|tsc|rs)_([0-9A-Z]{26})(?:_\d+)?$/;

/** The call whose response contained an item; undefined for ids that this gateway did not create. */
export const getItemRequestId = (id: string): string | undefined => OWN_ID.exec(id)?.[2];
/** Reasoning is not usable by another model. */
export const isReasoningItem = (id: string): boolean => OWN_ID.exec(id)?.[1] === "rs";

export type StoredItems = ReturnType<typeof createStoredItems>;

/**
 * Stores response items for a limited time: clients refer to the items of earlier responses instead of sending them
 * again, and chat providers do not know them. Each user finds only items of that user's own calls.
 */
export function createStoredItems(redis: Pick<Redis, "get" | "set">) {
  const getKey = (userId: number, requestId: string): string => `response-items:${userId}:${requestId}`;
  return {
    /** Not awaited: an item that is not stored cannot be referred to. */
    keep(place: { userId: number; requestId: string; seconds: number }, output: readonly Json[]): void {
      const items = output.filter((item) => !isReasoningItem(asText(item["id"]) ?? ""));
      const text = JSON.stringify(items);
      if (items.length === 0 || text.length > ITEMS_BYTES_MAX) return;
      void redis.set(getKey(place.userId, place.requestId), text, "EX", place.seconds).catch(() => undefined);
    },
    /** The items of some calls by their ids; empty if Redis fails. */
    async find(userId: number, requestIds: readonly string[]): Promise<ReadonlyMap<string, Json>> {
      const keys = requestIds.map((requestId) => getKey(userId, requestId));
      // One by one: in a cluster the keys are on several nodes.
      const texts = await Promise.all(keys.map((key) => redis.get(key).catch(() => null)));
      const items = texts.flatMap((text) => asList(parseExactJson(text ?? "")).map((item) => asObject(item) ?? {}));
      return new Map(items.map((item) => [asText(item["id"]) ?? "", item]));
    },
  };
}
