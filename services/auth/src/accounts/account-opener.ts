import type { AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import type { ClaimedOpening, OpeningStore } from "./opening-store.ts";

export type AccountOpener = ReturnType<typeof createAccountOpener>;

const CALL_TIMEOUT_MS = 2_000;
/** Longer than a call may take, so that two replicas do not work on one row. */
const LEASE_MS = 10_000;
const POLL_MS = 1_000;
const DELAY_FIRST_MS = 500;
const DELAY_MAX_MS = 5_000;

/** How long to leave a row alone after so many failures. */
export const delayAfter = (attempts: number): number =>
  Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** Math.min(attempts - 1, 10));

/**
 * Sees to it that every user gets an account: asks billing for those in the outbox until it confirms. Safe on many replicas, and
 * a repeat changes nothing at billing.
 */
export function createAccountOpener(deps: {
  store: OpeningStore;
  billing: Pick<GrpcClient<AccountServiceServer>, "openAccount">;
  log: Logger;
}) {
  const { store, billing, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isFailing = false;

  const open = async ({ userId, credit, reason, firstToken = "", attempts }: ClaimedOpening): Promise<void> => {
    try {
      await billing.openAccount({ userId, credit, kind: "gift", reason, firstToken }, { timeoutMs: CALL_TIMEOUT_MS });
    } catch (error) {
      // One line for each outage, not one for each attempt.
      if (!isFailing) log.warn({ err: error, userId }, "an account could not be opened yet; it is tried until it is");
      isFailing = true;
      return store.postpone(userId, delayAfter(attempts));
    }
    await store.remove(userId);
    if (isFailing) log.info({ userId }, "accounts can be opened again");
    isFailing = false;
  };
  const openDue = async (): Promise<void> => {
    for (let due = await store.claim(LEASE_MS); due && !stopped; due = await store.claim(LEASE_MS)) await open(due);
  };
  const poll = async (): Promise<void> => {
    try {
      await openDue();
    } catch (error) {
      log.warn({ err: error }, "the outbox of accounts could not be read");
    }
    if (!stopped) timer = setTimeout(() => void poll(), POLL_MS).unref();
  };
  return {
    /** Tries at once for a user just made, so that the balance is there when they look; a failure is left to the loop. */
    async openNow(userId: number): Promise<void> {
      try {
        const opening = await store.claim(LEASE_MS, userId);
        if (opening) await open(opening);
      } catch (error) {
        log.warn({ err: error, userId }, "the outbox of accounts could not be reached");
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
