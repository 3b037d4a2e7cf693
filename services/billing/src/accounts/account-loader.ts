import { AppError } from "@turnpike/shared/errors/app-error";
import { createSingleFlight } from "@turnpike/shared/concurrency/single-flight";
import type { StreamBarrier } from "../usage-stream/stream-barrier.ts";
import type { BalanceCache } from "./balance-cache.ts";

export type LoadAccount = ReturnType<typeof createAccountLoader>;

type Deps = {
  readonly barrier: StreamBarrier;
  readonly balanceCache: Pick<BalanceCache, "load">;
  /** Opens an account that is still owed to the user; a no-op otherwise. */
  readonly openPendingAccount: (userId: number) => Promise<void>;
};

/**
 * Loads accounts into Redis, each after every usage record that the stream held at the time of the call is applied.
 * Concurrent calls share their waits. Throws account_not_found, token_not_found, or `unavailable` when NATS, MongoDB or
 * Redis is down.
 */
export function createAccountLoader(deps: Deps) {
  const barrier = createSingleFlight(deps.barrier);
  const loads = new Map<string, ReturnType<typeof createSingleFlight<void>>>();

  const load = async (userId: number, tokenId: number): Promise<void> => {
    await barrier.call();
    let outcome = await deps.balanceCache.load(userId, tokenId);
    if (outcome === "no_account") {
      // A user who registered while billing was down may call before the outbox delivers the account.
      await deps.openPendingAccount(userId);
      outcome = await deps.balanceCache.load(userId, tokenId);
    }
    if (outcome === "no_account") throw new AppError("account_not_found", `no account of user ${userId}`);
    if (outcome === "no_token") throw new AppError("token_not_found", `user ${userId} has no token ${tokenId}`);
  };
  return async function loadAccount(userId: number, tokenId: number): Promise<void> {
    const key = `${userId}:${tokenId}`;
    const shared = loads.get(key) ?? createSingleFlight(() => load(userId, tokenId));
    loads.set(key, shared);
    try {
      await shared.call();
    } finally {
      if (shared.isIdle()) loads.delete(key);
    }
  };
}
