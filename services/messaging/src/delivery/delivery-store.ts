import { randomUUID } from "node:crypto";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession } from "mongoose";
import type { DeliveryDoc, DeliveryKind, DeliveryModel } from "./delivery-model.ts";

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
export type NewDelivery = Pick<DeliveryDoc, "_id" | "kind" | "key" | "box" | "deadlineAt">;

const DAY_MS = 86_400_000;
const SENT_KEPT_MS = 7 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;

/** The only file that accesses stored deliveries. Times come from the caller's clock. */
export function createDeliveryStore(deps: { deliveries: DeliveryModel; nowMs: () => number }) {
  const { deliveries, nowMs } = deps;
  const held = ({ _id, leaseId }: DeliveryDoc) => ({ _id, leaseId, status: "queued" as const });
  const settle = async (row: DeliveryDoc, set: Partial<DeliveryDoc>, unset: Record<string, 1> = {}): Promise<void> => {
    await deliveries.updateOne(held(row), { $set: { leaseId: "", ...set }, $unset: unset }).maxTimeMS(QUERY_TIMEOUT_MS);
  };
  return {
    /** Queues a delivery; answers false when one with its key is there already. */
    async insert(row: NewDelivery, session?: ClientSession): Promise<boolean> {
      const now = new Date(nowMs());
      const begin = { status: "queued" as const, attempts: 0, dueAt: now, leaseId: "", lastError: "", createdAt: now };
      if (row.key !== undefined && (await deliveries.exists({ key: row.key }).session(session ?? null))) return false;
      try {
        await deliveries.create([{ ...row, ...begin }], session ? { session } : {});
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Leases the next due delivery; of several replicas, one gets it. */
    async claim(kind: DeliveryKind, leaseMs: number): Promise<DeliveryDoc | undefined> {
      const now = nowMs();
      const row = await deliveries
        .findOneAndUpdate(
          { kind, status: "queued", dueAt: { $lte: new Date(now) } },
          { $set: { dueAt: new Date(now + leaseMs), leaseId: randomUUID() }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 }, returnDocument: "after" },
        )
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<DeliveryDoc | null>();
      return row ?? undefined;
    },
    /** Marks it as sent and removes its content. */
    sent: (row: DeliveryDoc): Promise<void> =>
      settle(row, { status: "sent", lastError: "", expireAt: new Date(nowMs() + SENT_KEPT_MS) }, { box: 1 }),
    /** Schedules a retry. */
    postpone: (row: DeliveryDoc, waitMs: number, lastError: string): Promise<void> =>
      settle(row, { dueAt: new Date(nowMs() + waitMs), lastError }),
    /** Marks it as dead; the row stays for a while to show the operator the reason, without its content. */
    markDead: (row: DeliveryDoc, lastError: string): Promise<void> =>
      settle(row, { status: "dead", lastError, expireAt: new Date(nowMs() + DEAD_KEPT_MS) }, { box: 1 }),
    countQueued: (kind: DeliveryKind): Promise<number> =>
      deliveries.countDocuments({ kind, status: "queued" }).maxTimeMS(QUERY_TIMEOUT_MS).exec(),
  };
}
