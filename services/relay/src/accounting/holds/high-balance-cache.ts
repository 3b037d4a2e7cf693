import type { Balance, HoldRequest } from "./account-client.ts";

type Known = { readonly balance: number; readonly atMs: number };

/** A balance is ample for a call when it covers this many of its like. */
const HIGH_BALANCE_CALLS = 1_000;
/** Holds of other relays lower a balance unseen, so a remembered one counts for a moment only. */
const FRESH_MS = 2_000;
const ACCOUNTS_MAX = 50_000;

export type HighBalanceCache = ReturnType<typeof createHighBalanceCache>;

/** Whose money it is: a user's, through a token; 0 for a token without a budget. */
type AccountRef = Pick<HoldRequest, "userId" | "tokenId">;

/** Knows the accounts whose balance, as Redis last told it, is far above what a call costs: their calls need not wait for a hold. */
export function createHighBalanceCache(
  now: () => number,
  /** Told every balance that Redis tells. */
  listener: (userId: number, available: number) => void = () => undefined,
  /** Whether Redis can be asked: what it told is worth nothing while it is away. */
  isRedisConnected: () => boolean = () => true,
) {
  const accounts = new Map<number, Map<number, Known>>();
  return {
    /** Notes what Redis said after a hold or a settlement. */
    remember({ userId, tokenId }: AccountRef, { available, tokenAvailable }: Balance): void {
      listener(userId, available);
      let tokens = accounts.get(userId);
      if (!tokens) {
        if (accounts.size >= ACCOUNTS_MAX) accounts.clear();
        accounts.set(userId, (tokens = new Map()));
      }
      tokens.set(tokenId, { balance: Math.min(available, tokenAvailable ?? available), atMs: now() });
    },
    /** Whether the call's hold will surely be granted. Never for a call with request limits, which Redis alone can count. */
    covers({ userId, tokenId, amount, limits }: Pick<HoldRequest, keyof AccountRef | "amount" | "limits">): boolean {
      if (limits.length > 0 || !isRedisConnected()) return false;
      const known = accounts.get(userId)?.get(tokenId);
      return known !== undefined && now() - known.atMs < FRESH_MS && known.balance >= amount * HIGH_BALANCE_CALLS;
    },
    /** The account was changed, was refused something, or Redis did not answer for it. */
    forget: (userId: number): void => void accounts.delete(userId),
  };
}
