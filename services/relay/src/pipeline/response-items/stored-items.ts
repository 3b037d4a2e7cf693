import type { Redis } from "@turnpike/shared/redis/redis";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText, parseJson } from "../../core/chat/json.ts";

/** Longer answers are not kept: whoever refers to them is told so. */
const ITEMS_BYTES_MAX = 64 * 1024;
/** Ids as responses-wire.ts makes them, around the id of the call. */
const OWN_ID = /^(msg|fc|ctc|rs)_([0-9A-Z]{26})(?:_\d+)?$/;

/** The call whose answer an item was a part of; undefined for ids that this gateway did not give. */
export const getItemRequestId = (id: string): string | undefined => OWN_ID.exec(id)?.[2];
/** Thoughts are of no use to another model. */
export const isReasoningItem = (id: string): boolean => OWN_ID.exec(id)?.[1] === "rs";

export type StoredItems = ReturnType<typeof createStoredItems>;

/**
 * What answered responses said, for a while: clients refer to the items of earlier answers instead of sending them again, and the
 * providers behind chat know nothing of them. Each user finds only what was said to that user.
 */
export function createStoredItems(redis: Pick<Redis, "mget" | "set">) {
  const keyOf = (userId: number, requestId: string): string => `response-items:${userId}:${requestId}`;
  return {
    /** Not waited for: what is not kept cannot be referred to. */
    keep(place: { userId: number; requestId: string; seconds: number }, output: readonly Json[]): void {
      const items = output.filter((item) => !isReasoningItem(asText(item["id"]) ?? ""));
      const text = JSON.stringify(items);
      if (items.length === 0 || text.length > ITEMS_BYTES_MAX) return;
      void redis.set(keyOf(place.userId, place.requestId), text, "EX", place.seconds).catch(() => undefined);
    },
    /** The items of some calls by their ids; nothing where Redis does not say. */
    async find(userId: number, requestIds: readonly string[]): Promise<ReadonlyMap<string, Json>> {
      const keys = requestIds.map((requestId) => keyOf(userId, requestId));
      const texts = await redis.mget(...keys).catch(() => []);
      const items = texts.flatMap((text) => asList(parseJson(text ?? "")).map((item) => asObject(item) ?? {}));
      return new Map(items.map((item) => [asText(item["id"]) ?? "", item]));
    },
  };
}
