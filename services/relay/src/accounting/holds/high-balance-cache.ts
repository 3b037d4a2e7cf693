import type { Balance, HoldRequest } from "./account-requests.ts";

type Known = { readonly balance: number; readonly atMs: number };

/**
 * A balance is high for a call if it covers this many calls of the same cost, for each relay: then all relays together spend at most
 * half of it without a hold.
 */
const HIGH_BALANCE_CALLS = 1_000;
/** Holds of other relays lower a balance without notice, so a cached balance is valid for a short time only. */
const FRESH_MS = 2_000;
const ACCOUNTS_MAX = 50_000;

export type HighBalanceCache = ReturnType<typeof createHighBalanceCache>;

/** An account: a user, through a token; 0 for a token without a budget. */
type AccountRef = Pick<HoldRequest, "userId" | "tokenId">;

/**
 * Caches accounts whose last balance from Redis is far above the cost of a call: their calls need not wait for a hold.
 */
export function createHighBalanceCache(
  now: () => number,
  /** Receives every balance that Redis returns. */
  listener: (userId: number, available: number) => void = () => undefined,
  /** Whether Redis is available: cached balances are not used while it is down. */
  isRedisConnected: () => boolean = () => true,
  /** The relays that may start calls on the same balance. */
  relayCount: () => number = () => 1,
) {
  const accounts = new Map<number, Map<number, Known>>();
  return {
    /** Stores the balance returned after a hold or a settlement. */
    remember({ userId, tokenId }: AccountRef, { available, tokenAvailable }: Balance): void {
      listener(userId, available);
      let tokens = accounts.get(userId);
      if (!tokens) {
        if (accounts.size >= ACCOUNTS_MAX) accounts.clear();
        accounts.set(userId, (tokens = new Map()));
      }
      tokens.set(tokenId, { balance: Math.min(available, tokenAvailable ?? available), atMs: now() });
    },
    /**
     * Whether the call's hold is certain to be granted. Never for a call with request limits, which only Redis can
     * count.
     */
    covers({ userId, tokenId, amount, limits }: Pick<HoldRequest, keyof AccountRef | "amount" | "limits">): boolean {
      if (limits.length > 0 || !isRedisConnected()) return false;
      const known = accounts.get(userId)?.get(tokenId);
      return (
        known !== undefined &&
        now() - known.atMs < FRESH_MS &&
        known.balance >= amount * HIGH_BALANCE_CALLS * relayCount()
      );
    },
    /** Called when the account was changed, a hold was refused, or Redis did not respond for it. */
    forget: (userId: number): void => void accounts.delete(userId),
  };
}
