import type { mongo as driver } from "mongoose";
import { isDuplicateKey } from "../mongo/mongo.ts";
import { QUERY_TIMEOUT_MS } from "../mongo/query.ts";
import type { LeaseStore } from "./lease.ts";

type Doc = driver.Document & { _id: string };

type Options<StoredDoc extends { _id: string }> = {
  /** The document's collection and id. */
  readonly collection: driver.Collection<StoredDoc>;
  readonly id: string;
  /** The field of the holder, "" while there is none. */
  readonly holderField: string;
  /** The field of the time at which the lease ends, in milliseconds; 0 while it is free. */
  readonly untilField: string;
  /** The document's state in which it can be held. Absent: always, and the document is created when missing. */
  readonly heldWhile?: Readonly<Record<string, unknown>>;
  readonly nowMs?: () => number;
};

/** A lease as two fields of a document in MongoDB. */
export function createMongoLeaseStore<StoredDoc extends { _id: string }>(options: Options<StoredDoc>): LeaseStore {
  const { id, holderField, untilField, heldWhile, nowMs = Date.now } = options;
  const collection = options.collection as unknown as driver.Collection<Doc>;
  const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };
  const heldBy = (holder: string): driver.Filter<Doc> => ({ ...heldWhile, _id: id, [holderField]: holder });
  return {
    async acquire(holder, durationMs) {
      const isFree = { $or: [{ [untilField]: { $not: { $gt: nowMs() } } }, { [holderField]: holder }] };
      const taken = { $set: { [holderField]: holder, [untilField]: nowMs() + durationMs } };
      try {
        const upsert = heldWhile === undefined;
        const result = await collection.updateOne({ ...heldWhile, _id: id, ...isFree }, taken, { upsert, ...bounded });
        return result.matchedCount + result.upsertedCount > 0;
      } catch (error) {
        // Another process holds the lease: the upsert tried to insert a second document of this id.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async renew(holder, durationMs) {
      const renewed = { $set: { [untilField]: nowMs() + durationMs } };
      return (await collection.updateOne(heldBy(holder), renewed, bounded)).matchedCount > 0;
    },
    async release(holder) {
      await collection.updateOne(heldBy(holder), { $set: { [holderField]: "", [untilField]: 0 } }, bounded);
    },
  };
}
