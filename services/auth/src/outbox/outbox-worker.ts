import type { Logger } from "@turnpike/shared/log/log";

/** How long a call to billing may take. */
export const CALL_TIMEOUT_MS = 2_000;
/** Longer than a call may take, so that two replicas do not work on one row. */
const LEASE_MS = 10_000;
const POLL_MS = 1_000;
/** While rows wait for somebody who is away. */
const FAILING_POLL_MS = 250;
/** While services start, a second more would be seen by people; in a long outage nobody minds. */
const STARTING_ATTEMPTS = 20;
const STARTING_DELAYS_MS = [250, 500, 1_000] as const;
const DELAY_MS = 5_000;

/** How long to leave a row alone after so many failures. */
export const delayAfter = (attempts: number): number =>
  attempts > STARTING_ATTEMPTS ? DELAY_MS : (STARTING_DELAYS_MS[attempts - 1] ?? STARTING_DELAYS_MS[2]);

/** Where the rows wait. `claim` takes one that is due, or the named one, due or not, for as long as the lease lasts. */
type Outbox<Id, Row> = {
  readonly claim: (leaseMs: number, id?: Id) => Promise<Row | undefined>;
  readonly postpone: (id: Id, delayMs: number) => Promise<void>;
  readonly remove: (id: Id) => Promise<void>;
};

type Deps<Id, Row> = {
  readonly store: Outbox<Id, Row>;
  readonly idOf: (row: Row) => Id;
  /** Brings a row to where it belongs; a repeat changes nothing there. */
  readonly deliver: (row: Row) => Promise<unknown>;
  /** What the log calls the rows, and a row's id. */
  readonly words: { readonly rows: string; readonly id: string };
  readonly log: Logger;
};

/** Delivers the rows of an outbox until each is confirmed. Safe on many replicas, as a repeat changes nothing. */
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
      // One line for each outage, not one for each attempt.
      if (!isFailing) log.warn({ err: error, [words.id]: id }, `${words.rows} cannot be delivered; they are tried on`);
      isFailing = true;
      return store.postpone(id, delayAfter(row.attempts));
    }
    await store.remove(id);
    if (isFailing) log.info({ [words.id]: id }, `${words.rows} are delivered again`);
    isFailing = false;
  };
  const deliverDue = async (): Promise<void> => {
    for (let due = await store.claim(LEASE_MS); due && !stopped; due = await store.claim(LEASE_MS)) await deliver(due);
  };
  const poll = async (): Promise<void> => {
    try {
      await deliverDue();
    } catch (error) {
      log.warn({ err: error }, `the outbox of ${words.rows} could not be read`);
    }
    if (!stopped) timer = setTimeout(() => void poll(), isFailing ? FAILING_POLL_MS : POLL_MS).unref();
  };
  return {
    /** Tries one at once, so that its effect is there when people look; a failure is left to the loop. */
    async deliverNow(id: Id): Promise<void> {
      try {
        const row = await store.claim(LEASE_MS, id);
        if (row) await deliver(row);
      } catch (error) {
        log.warn({ err: error, [words.id]: id }, `the outbox of ${words.rows} could not be reached`);
      }
    },
    /** Works off the outbox until stopped. */
    start(): void {
      void poll();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
