import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import type { DeliveryKind } from "./delivery-model.ts";
import type { DeliveryStore } from "./delivery-store.ts";

export type DeliveryEnqueuer = ReturnType<typeof createDeliveryEnqueuer>;
/** One delivery to queue: its content as text, its expiry, and its deduplication key ("" for none). */
export type Outgoing = {
  readonly kind: DeliveryKind;
  readonly payload: string;
  readonly lifeMs: number;
  readonly idempotencyKey: string;
};

/** Encrypts and queues outbound content. */
export function createDeliveryEnqueuer(deps: {
  store: DeliveryStore;
  seal: (plain: string) => string;
  nowMs: () => number;
}) {
  const { store, seal, nowMs } = deps;
  const listeners = new Map<DeliveryKind, () => void>();
  const wake = (kind: DeliveryKind): void => listeners.get(kind)?.();
  return {
    /** Queues a delivery, once per key. Within a transaction, call `wake` after its commit. */
    async put({ kind, payload, lifeMs, idempotencyKey }: Outgoing, session?: ClientSession): Promise<void> {
      const key = idempotencyKey === "" ? {} : { key: `${kind}:${idempotencyKey}` };
      const deadlineAt = new Date(nowMs() + lifeMs);
      await store.insert({ _id: randomUUID(), kind, ...key, box: seal(payload), deadlineAt }, session);
      if (!session) wake(kind);
    },
    wake,
    onPut: (kind: DeliveryKind, run: () => void): void => void listeners.set(kind, run),
  };
}
