import type { Logger } from "@turnpike/shared/log/log";
import { deliveriesDone } from "./metrics.ts";
import { ATTEMPTS_MAX, getBackoffMs } from "./backoff.ts";
import { DeliveryFailure } from "./delivery-failure.ts";
import type { DeliveryDoc, DeliveryKind } from "./delivery-model.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import { createWakeableTimer } from "./wakeable-timer.ts";

/** Delivers to the recipient; throws DeliveryFailure. `box` is the decrypted content. */
export type Send = (delivery: { readonly id: string; readonly payload: string }) => Promise<void>;
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

const POLL_MS = 1_000;
const AT_ONCE = 4;
/** Longer than one try may take: a try that outlives it is tried by another replica as well. */
const LEASE_MS = 60_000;

type Deps = {
  readonly kind: DeliveryKind;
  readonly store: DeliveryStore;
  readonly open: (box: string) => string;
  readonly send: Send;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly pollMs?: number;
  readonly backoff?: (attempts: number) => number;
};

/** What to do after a failed try. */
const isExhausted = (row: DeliveryDoc, failure: DeliveryFailure, nextAtMs: number): boolean =>
  failure.isFinal || row.attempts >= ATTEMPTS_MAX || nextAtMs > row.deadlineAt.getTime();

/**
 * Sends due deliveries, a few at a time, until stopped. A failed one is retried later; one that cannot succeed, was
 * retried too often or is too late is abandoned. When a replica dies, others take over its deliveries after the lease
 * ends.
 */
export function createDeliveryQueue(deps: Deps) {
  const { kind, store, open, send, nowMs, log } = deps;
  const backoff = deps.backoff ?? ((attempts: number) => getBackoffMs(attempts, Math.random()));
  const pause = createWakeableTimer();
  const active = new Set<Promise<void>>();
  let stopped = false;
  let loop: Promise<void> | undefined;

  const attempt = async (row: DeliveryDoc): Promise<DeliveryFailure | undefined> => {
    if (row.deadlineAt.getTime() <= nowMs()) return new DeliveryFailure(row.lastError || "too late", { isFinal: true });
    try {
      await send({ id: row._id, payload: open(row.box ?? "") });
      return undefined;
    } catch (error) {
      if (error instanceof DeliveryFailure) return error;
      log.warn({ err: error, kind, delivery: row._id }, "delivery failed unexpectedly");
      return new DeliveryFailure("unexpected error");
    }
  };
  const settle = async (row: DeliveryDoc, failure: DeliveryFailure | undefined): Promise<void> => {
    if (!failure) {
      deliveriesDone.inc({ kind, outcome: "sent" });
      return store.sent(row);
    }
    const facts = { kind, delivery: row._id, attempts: row.attempts, detail: failure.detail };
    const waitMs = backoff(row.attempts);
    if (isExhausted(row, failure, nowMs() + waitMs)) {
      deliveriesDone.inc({ kind, outcome: "dead" });
      log.error(facts, "delivery abandoned");
      return store.markDead(row, failure.detail);
    }
    deliveriesDone.inc({ kind, outcome: "retry" });
    log.warn(facts, "delivery failed, will be retried");
    return store.postpone(row, waitMs, failure.detail);
  };
  const deliver = async (row: DeliveryDoc): Promise<void> => {
    try {
      await settle(row, await attempt(row));
    } catch (error) {
      log.warn({ err: error, kind, delivery: row._id }, "delivery outcome could not be stored, may be delivered twice");
    }
  };
  const claim = async (): Promise<DeliveryDoc | undefined> => {
    try {
      return await store.claim(kind, LEASE_MS);
    } catch (error) {
      log.warn({ err: error, kind }, "deliveries could not be read, will be retried");
      return undefined;
    }
  };
  const start = (row: DeliveryDoc): void => {
    const task = deliver(row).finally(() => active.delete(task));
    active.add(task);
  };
  const run = async (): Promise<void> => {
    while (!stopped) {
      if (active.size >= AT_ONCE) {
        await Promise.race(active);
        continue;
      }
      const row = await claim();
      if (row) start(row);
      else await pause.wait(deps.pollMs ?? POLL_MS);
    }
    await Promise.all(active);
  };
  return {
    start(): void {
      loop ??= run();
    },
    /** Looks at once: something was queued here. */
    wake: pause.wake,
    /** Accepts no more and finishes what is in progress. */
    async stop(): Promise<void> {
      stopped = true;
      pause.wake();
      await loop;
    },
  };
}
