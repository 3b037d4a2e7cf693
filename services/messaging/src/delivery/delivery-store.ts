import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { createOutboxStore, toDateField } from "@turnpike/shared/outbox/outbox-store";
import type { ClientSession } from "mongoose";
import type { DeliveryDoc, DeliveryKind, DeliveryModel } from "./delivery-model.ts";

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
export type DeliveryRows = ReturnType<DeliveryStore["rows"]>;
export type NewDelivery = Pick<DeliveryDoc, "_id" | "kind" | "key" | "box" | "deadlineAt">;

const DAY_MS = 86_400_000;
const SENT_RETENTION_MS = 7 * DAY_MS;
const DEAD_RETENTION_MS = 30 * DAY_MS;

/** The only file that accesses stored deliveries. Times come from the caller's clock. */
export function createDeliveryStore(deps: { deliveries: DeliveryModel; nowMs: () => number }) {
  const { deliveries, nowMs } = deps;
  const collection = deliveries.db.collection<DeliveryDoc>(deliveries.collection.name);
  const expireAt = (retentionMs: number): Date => new Date(nowMs() + retentionMs);
  return {
    /** Queues a delivery; returns false when one with the same key exists. */
    async insert(row: NewDelivery, session?: ClientSession): Promise<boolean> {
      const now = new Date(nowMs());
      const begin = { status: "queued" as const, attempts: 0, dueAt: now, lastError: "", createdAt: now };
      if (row.key !== undefined && (await deliveries.exists({ key: row.key }).session(session ?? null))) return false;
      try {
        await deliveries.create([{ ...row, ...begin }], session ? { session } : {});
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** The queued deliveries of a kind, as an outbox. */
    rows(kind: DeliveryKind) {
      const waiting = { kind, status: "queued" as const };
      const store = createOutboxStore<DeliveryDoc>({ collection, waiting, due: toDateField("dueAt"), nowMs });
      return {
        ...store,
        /** Marks it as sent and removes its content. */
        markSent: (row: DeliveryDoc): Promise<void> =>
          store.settle(row, {
            $set: { status: "sent", lastError: "", expireAt: expireAt(SENT_RETENTION_MS) },
            $unset: { box: 1 },
          }),
        /** Marks it as dead; the row stays for a while to show the operator the reason, without its content. */
        markDead: (row: DeliveryDoc, lastError: string): Promise<void> =>
          store.settle(row, {
            $set: { status: "dead", lastError, expireAt: expireAt(DEAD_RETENTION_MS) },
            $unset: { box: 1 },
          }),
      };
    },
  };
}
