import { createBackgroundLoop } from "../concurrency/background-loop.ts";
import { type Backoff, getBackoffMs } from "../concurrency/retry.ts";
import type { Logger } from "../log/log.ts";
import type { OutboxRow, OutboxStore } from "./outbox-store.ts";

type Options<Row extends OutboxRow> = {
  /** The outbox's name in log lines. */
  readonly name: string;
  readonly store: Pick<OutboxStore<Row>, "claim" | "postpone" | "remove">;
  /** Delivers a row. It is repeated after an error, and after a crash that hid its success. */
  readonly deliver: (row: Row) => Promise<unknown>;
  /**
   * Records the outcome of an attempt: `error` is undefined after a success. When absent, a delivered row is removed and any other
   * retried for ever, since the recipient is down; it is for rows that fail for reasons of their own.
   */
  readonly settle?: (row: Row, error: unknown) => Promise<void>;
  /** Longer than an attempt may take: after it, another replica may repeat the attempt. */
  readonly leaseMs?: number;
  readonly concurrencyMax?: number;
  readonly pollMs?: number;
  readonly log: Logger;
};

const LEASE_MS = 10_000;
const CONCURRENCY_MAX = 4;
const POLL_MS = 1_000;
/** Short while services start, when users would notice the delay; harmless in a long outage. */
const BACKOFF: Backoff = { firstMs: 250, maxMs: 5_000, factor: 1.3 };

/** The outcomes of rows that share a recipient: either all can be delivered, or none. */
function createOutcomes<Row extends OutboxRow>({ name, store, log }: Options<Row>, wake: (withinMs: number) => void) {
  let isFailing = false;
  return {
    isFailing: (): boolean => isFailing,
    async settle(row: Row, error: unknown): Promise<void> {
      const facts = { outbox: name, id: row._id };
      if (error === undefined) {
        await store.remove(row);
        if (isFailing) log.info(facts, "outbox delivery recovered");
        isFailing = false;
        return;
      }
      // Logs once per outage, not once per attempt.
      if (!isFailing) log.warn({ err: error, ...facts }, "outbox delivery failed, will be retried");
      isFailing = true;
      const pauseMs = getBackoffMs(BACKOFF, row.attempts);
      await store.postpone(row, pauseMs);
      wake(pauseMs);
    },
  };
}

/**
 * Delivers the rows of an outbox until each is settled, a few at a time. Safe on many replicas: each row is claimed by one, and delivery
 * is idempotent.
 */
export function createOutbox<Row extends OutboxRow>(options: Options<Row>) {
  const { name, store, leaseMs = LEASE_MS, concurrencyMax = CONCURRENCY_MAX, pollMs = POLL_MS, log } = options;
  const outcomes = createOutcomes(options, (withinMs) => loop.wake(withinMs));
  const settle = options.settle ?? outcomes.settle;
  const active = new Set<Promise<void>>();

  const attempt = async (row: Row): Promise<void> => {
    const error: unknown = await options.deliver(row).then(
      () => undefined,
      (failure: unknown) => failure,
    );
    await settle(row, error).catch((failure: unknown) =>
      log.warn({ err: failure, outbox: name, id: row._id }, "outbox outcome could not be stored, row may be repeated"),
    );
  };
  const start = (row: Row): Promise<void> => {
    const running = attempt(row).finally(() => active.delete(running));
    active.add(running);
    return running;
  };
  const deliverDue = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      while (active.size >= concurrencyMax) await Promise.race(active);
      const row = await store.claim(leaseMs);
      if (!row) return;
      const running = start(row);
      // While the recipient is down, one row is tried, not each.
      if (outcomes.isFailing()) await running;
      if (outcomes.isFailing()) return;
    }
  };
  const loop = createBackgroundLoop({ task: `outbox of ${name}`, run: deliverDue, everyMs: pollMs, log });
  return {
    /** Tries one row at once, so that its effect is visible immediately. Never throws: a failure is left to the loop. */
    async deliverNow(id: Row["_id"]): Promise<void> {
      try {
        const row = await store.claim(leaseMs, id);
        if (row) await start(row);
      } catch (error) {
        log.warn({ err: error, outbox: name, id }, "outbox unavailable");
      }
    },
    /** Looks for rows now: one was added here. */
    wake: (): void => loop.wake(),
    /** Delivers what is due, and what an earlier process left, until stopped. */
    start: loop.start,
    /** Claims no more and finishes what is in progress. */
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(active);
    },
  };
}
