import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { delayAfter } from "../accounts/account-opener.ts";
import type { ClaimedCredit, CreditStore } from "./credit-store.ts";

export type CreditSender = ReturnType<typeof createCreditSender>;

const CALL_TIMEOUT_MS = 2_000;
/** Longer than a call may take, so that two replicas do not work on one row. */
const LEASE_MS = 10_000;
const POLL_MS = 1_000;

/**
 * Brings the credits of the outbox to billing until it confirms each. Safe on many replicas: billing books a reference once, however
 * often it is sent.
 */
export function createCreditSender(deps: {
  store: CreditStore;
  billing: Pick<GrpcClient<CreditServiceServer>, "addCredit">;
  log: Logger;
}) {
  const { store, billing, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isFailing = false;

  const send = async ({ attempts, ...credit }: ClaimedCredit): Promise<void> => {
    try {
      await billing.addCredit(credit, { timeoutMs: CALL_TIMEOUT_MS });
    } catch (error) {
      // One line for each outage, not one for each attempt.
      if (!isFailing)
        log.warn({ err: error, reference: credit.reference }, "a credit is not booked yet; it is tried until it is");
      isFailing = true;
      return store.postpone(credit.reference, delayAfter(attempts));
    }
    await store.remove(credit.reference);
    if (isFailing) log.info({ reference: credit.reference }, "credits can be booked again");
    isFailing = false;
  };
  const sendDue = async (): Promise<void> => {
    for (let due = await store.claim(LEASE_MS); due && !stopped; due = await store.claim(LEASE_MS)) await send(due);
  };
  const poll = async (): Promise<void> => {
    try {
      await sendDue();
    } catch (error) {
      log.warn({ err: error }, "the outbox of credits could not be read");
    }
    if (!stopped) timer = setTimeout(() => void poll(), POLL_MS).unref();
  };
  return {
    /** Tries one at once, so that the balance is there when people look; a failure is left to the loop. */
    async sendNow(reference: string): Promise<void> {
      try {
        const credit = await store.claim(LEASE_MS, reference);
        if (credit) await send(credit);
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
