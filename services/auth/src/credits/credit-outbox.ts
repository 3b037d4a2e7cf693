import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import type { ClaimedCredit, CreditStore } from "./credit-store.ts";

export type CreditOutbox = ReturnType<typeof createCreditOutbox>;

const CALL_TIMEOUT_MS = 2_000;
/** Longer than a call may take, so that two replicas do not work on one row. */
const LEASE_MS = 10_000;
const POLL_MS = 1_000;
const DELAY_FIRST_MS = 500;
/** A row that billing refuses for good must not crowd out the others, nor be forgotten. */
const DELAY_MAX_MS = 60_000;

/** How long to leave a row alone after so many failures. */
export const creditDelayAfter = (attempts: number): number =>
  Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** Math.min(attempts - 1, 10));

/**
 * Sees to it that every credit reaches billing once: rows are written in the transaction of what earned them, and billing knows
 * repeats by their reference. Safe on many replicas.
 */
export function createCreditOutbox(deps: {
  store: CreditStore;
  billing: Pick<GrpcClient<CreditServiceServer>, "addCredit">;
  log: Logger;
}) {
  const { store, billing, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isFailing = false;

  const grant = async ({ attempts, ...credit }: ClaimedCredit): Promise<void> => {
    try {
      await billing.addCredit(credit, { timeoutMs: CALL_TIMEOUT_MS });
    } catch (error) {
      // One line for each outage, not one for each attempt.
      if (!isFailing) log.warn({ err: error, reference: credit.reference }, "a credit waits for billing");
      isFailing = true;
      return store.postpone(credit.reference, creditDelayAfter(attempts));
    }
    await store.remove(credit.reference);
    if (isFailing) log.info({ reference: credit.reference }, "credits reach billing again");
    isFailing = false;
  };
  const grantDue = async (): Promise<void> => {
    for (let due = await store.claim(LEASE_MS); due && !stopped; due = await store.claim(LEASE_MS)) await grant(due);
  };
  const poll = async (): Promise<void> => {
    try {
      await grantDue();
    } catch (error) {
      log.warn({ err: error }, "the outbox of credits could not be read");
    }
    if (!stopped) timer = setTimeout(() => void poll(), POLL_MS).unref();
  };
  return {
    /** Keeps a credit in the transaction of what earned it; `grantNow` or the loop brings it to billing. */
    add: store.add,
    /** Tries at once, so that the balance is there when people look; never throws, a failure is left to the loop. */
    async grantNow(reference: string): Promise<void> {
      try {
        const credit = await store.claim(LEASE_MS, reference);
        if (credit) await grant(credit);
      } catch (error) {
        log.warn({ err: error, reference }, "the outbox of credits could not be reached");
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
