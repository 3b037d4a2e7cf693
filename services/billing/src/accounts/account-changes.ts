import { accountChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import type { BalanceCache } from "./balance-cache.ts";

export type AccountChanges = ReturnType<typeof createAccountChanges>;

/**
 * Publishes committed changes: to Redis first, then to the relays. Never throws: the sweep later writes to Redis what
 * failed now.
 */
export function createAccountChanges(deps: { balanceCache: Pick<BalanceCache, "sync">; bus: Bus; log: Logger }) {
  const bring = async (userId: number, tokenIds: readonly number[]): Promise<void> => {
    try {
      await deps.balanceCache.sync(userId, tokenIds);
    } catch (error) {
      deps.log.warn({ err: error, userId }, "balance could not be written to Redis, the sweep will retry");
    }
  };
  return {
    /** An account's credits changed. */
    async account(userId: number): Promise<void> {
      await bring(userId, []);
      deps.bus.notify(accountChanged, { userId });
    },
    /** A token's budget changed. */
    budget: (userId: number, tokenId: number): Promise<void> => bring(userId, [tokenId]),
  };
}
