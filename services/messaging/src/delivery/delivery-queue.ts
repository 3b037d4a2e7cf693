import { type Backoff, getBackoffMs } from "@turnpike/shared/concurrency/retry";
import type { Logger } from "@turnpike/shared/log/log";
import { createOutbox } from "@turnpike/shared/outbox/outbox";
import { deliveriesDone } from "./metrics.ts";
import { DeliveryFailure } from "./delivery-failure.ts";
import type { DeliveryDoc, DeliveryKind } from "./delivery-model.ts";
import type { DeliveryRows } from "./delivery-store.ts";

/** Delivers to the recipient; throws DeliveryFailure. `payload` is the decrypted content. */
export type Send = (delivery: { readonly id: string; readonly payload: string }) => Promise<void>;
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

const LEASE_MS = 60_000;
/** Attempts of one delivery: about four hours with the pauses between them. */
const ATTEMPTS_MAX = 10;
const BACKOFF: Backoff = { firstMs: 5_000, factor: 3, maxMs: 3_600_000 };

type Deps = {
  readonly kind: DeliveryKind;
  readonly rows: DeliveryRows;
  readonly open: (box: string) => string;
  readonly send: Send;
  readonly nowMs: () => number;
  readonly log: Logger;
  readonly pollMs?: number;
  readonly backoff?: Backoff;
};

const isExhausted = (row: DeliveryDoc, failure: DeliveryFailure, nextAtMs: number): boolean =>
  failure.isFinal || row.attempts >= ATTEMPTS_MAX || nextAtMs > row.deadlineAt.getTime();

/**
 * Sends due deliveries of a kind. A failed delivery is retried later; one that cannot succeed, has no attempts left or
 * is too late is abandoned. When a replica dies, others take over its deliveries after the lease ends.
 */
export function createDeliveryQueue(deps: Deps) {
  const { kind, rows, open, send, nowMs, pollMs, backoff = BACKOFF, log } = deps;

  const deliver = async (row: DeliveryDoc): Promise<void> => {
    if (row.deadlineAt.getTime() <= nowMs()) throw new DeliveryFailure(row.lastError || "too late", { isFinal: true });
    await send({ id: row._id, payload: open(row.box ?? "") });
  };
  const toFailure = (row: DeliveryDoc, error: unknown): DeliveryFailure => {
    if (error instanceof DeliveryFailure) return error;
    log.warn({ err: error, kind, delivery: row._id }, "delivery failed unexpectedly");
    return new DeliveryFailure("unexpected error");
  };
  const settle = async (row: DeliveryDoc, error: unknown): Promise<void> => {
    if (error === undefined) {
      deliveriesDone.inc({ kind, outcome: "sent" });
      return rows.markSent(row);
    }
    const failure = toFailure(row, error);
    const facts = { kind, delivery: row._id, attempts: row.attempts, detail: failure.detail };
    const pauseMs = getBackoffMs(backoff, row.attempts);
    if (isExhausted(row, failure, nowMs() + pauseMs)) {
      deliveriesDone.inc({ kind, outcome: "dead" });
      log.error(facts, "delivery abandoned");
      return rows.markDead(row, failure.detail);
    }
    deliveriesDone.inc({ kind, outcome: "retry" });
    log.warn(facts, "delivery failed, will be retried");
    return rows.postpone(row, pauseMs, { lastError: failure.detail });
  };
  return createOutbox({
    name: `${kind} deliveries`,
    store: rows,
    deliver,
    settle,
    leaseMs: LEASE_MS,
    ...(pollMs === undefined ? {} : { pollMs }),
    log,
  });
}
