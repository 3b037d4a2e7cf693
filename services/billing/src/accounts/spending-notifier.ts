import { accountsSpent } from "@turnpike/shared/events/billing";
import { createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { BalanceCache } from "./balance-cache.ts";

export type SpendingNotifier = ReturnType<typeof createSpendingNotifier>;

const EVERY_MS = 1_000;
const USERS_AT_ONCE = 1_000;

/**
 * Publishes the remaining balances after spending, once a second for all accounts that spent in it: posting only
 * records the account ids. What could not be read is retried in the next second.
 */
export function createSpendingNotifier(deps: {
  accounts: Collections["accounts"];
  bus: Pick<Bus, "notify">;
  log: Logger;
  everyMs?: number;
}) {
  const { accounts, bus, log, everyMs = EVERY_MS } = deps;
  const pending = new Set<number>();

  const notify = async (userIds: readonly number[]): Promise<void> => {
    const found = await accounts
      .find({ _id: { $in: [...userIds] } }, { projection: { credits: 1, spent: 1 }, maxTimeMS: QUERY_TIMEOUT_MS })
      .toArray();
    if (found.length === 0) return;
    bus.notify(accountsSpent, {
      accounts: found.map(({ _id, credits, spent }) => ({ userId: _id, quota: credits - spent })),
    });
  };
  const flush = async (): Promise<void> => {
    while (pending.size > 0) {
      const userIds = [...pending].slice(0, USERS_AT_ONCE);
      for (const id of userIds) pending.delete(id);
      try {
        await notify(userIds);
      } catch (error) {
        for (const id of userIds) pending.add(id);
        throw error;
      }
    }
  };
  const loop = createBackgroundLoop({ task: "balance notifications", run: flush, everyMs, log });
  return {
    start: loop.start,
    /** Wraps the balance cache and records whose spending was applied to it. */
    watching: (balanceCache: Pick<BalanceCache, "post">): Pick<BalanceCache, "post"> => ({
      async post(changes) {
        await balanceCache.post(changes);
        for (const userId of changes.keys()) pending.add(userId);
      },
    }),
    /** Publishes what is still recorded. */
    async stop(): Promise<void> {
      await loop.stop();
      await flush();
    },
  };
}
