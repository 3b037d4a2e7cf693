import type { Logger } from "@turnpike/shared/log/log";

/** Timeout of a call to billing. */
export const CALL_TIMEOUT_MS = 2_000;
/** Longer than the call timeout, so that two replicas do not process the same row. */
const LEASE_MS = 10_000;
const POLL_MS = 1_000;
/** Poll interval while rows wait for an unavailable service. */
const FAILING_POLL_MS = 250;
/** During startup users would notice a longer delay; in a long outage a longer delay is harmless. */
const STARTING_ATTEMPTS = 20;
const STARTING_DELAYS_MS = [250, 500, 1_000] as const;
const DELAY_MS = 5_000;

/** Retry delay of a row after this many failures. */
export const delayAfter = (attempts: number): number =>
  attempts > STARTING_ATTEMPTS ? DELAY_MS : (STARTING_DELAYS_MS[attempts - 1] ?? STARTING_DELAYS_MS[2]);

/**
 * The store of pending rows. `claim` takes one that is due, or the named one, due or not, for the duration of the
 * lease.
 */
type Outbox<Id, Row> = {
  readonly claim: (leaseMs: number, id?: Id) => Promise<Row | undefined>;
  readonly postpone: (id: Id, delayMs: number) => Promise<void>;
  readonly remove: (id: Id) => Promise<void>;
};

type Deps<Id, Row> = {
  readonly store: Outbox<Id, Row>;
  readonly idOf: (row: Row) => Id;
  /** Delivers a row; delivering it again changes nothing. */
  readonly deliver: (row: Row) => Promise<unknown>;
  /** Names of the rows and of a row's id in log lines. */
  readonly words: { readonly rows: string; readonly id: string };
  readonly log: Logger;
};

/** Delivers the rows of an outbox until each is confirmed. Safe on many replicas because delivery is idempotent. */
export function createOutboxWorker<Id, Row extends { readonly attempts: number }>(deps: Deps<Id, Row>) {
  const { store, idOf, words, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isFailing = false;

  const deliver = async (row: Row): Promise<void> => {
    const id = idOf(row);
    try {
      await deps.deliver(row);
    } catch (error) {
      // Logs once per outage, not once per attempt.
      if (!isFailing) log.warn({ err: error, [words.id]: id }, `delivery of ${words.rows} failed, will be retried`);
      isFailing = true;
      return store.postpone(id, delayAfter(row.attempts));
    }
    await store.remove(id);
    if (isFailing) log.info({ [words.id]: id }, `delivery of ${words.rows} recovered`);
    isFailing = false;
  };
  const deliverDue = async (): Promise<void> => {
    for (let due = await store.claim(LEASE_MS); due && !stopped; due = await store.claim(LEASE_MS)) await deliver(due);
  };
  const poll = async (): Promise<void> => {
    try {
      await deliverDue();
    } catch (error) {
      log.warn({ err: error }, `outbox of ${words.rows} could not be read`);
    }
    if (!stopped) timer = setTimeout(() => void poll(), isFailing ? FAILING_POLL_MS : POLL_MS).unref();
  };
  return {
    /** Tries one row at once, so that its effect is visible immediately; a failure is left to the loop. */
    async deliverNow(id: Id): Promise<void> {
      try {
        const row = await store.claim(LEASE_MS, id);
        if (row) await deliver(row);
      } catch (error) {
        log.warn({ err: error, [words.id]: id }, `outbox of ${words.rows} unavailable`);
      }
    },
    /** Processes the outbox until stopped. */
    start(): void {
      void poll();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
