const USERS_MAX = 50_000;

export type OpenModeLedger = {
  /** The balance as Redis last told it. */
  readonly remember: (userId: number, available: number) => void;
  /** With Redis away: may this user spend `amount` more? Counts it when so. */
  readonly admits: (userId: number, amount: number) => boolean;
};

/** For REDIS_FAILURE_MODE=open: serves accounts known to be positive, each up to a cap, while Redis is away. Closed admits nobody. */
export function createFailOpenLedger(options: { mode: "open" | "closed"; cap: number }): OpenModeLedger {
  const known = new Map<number, { available: number; spentBlind: number }>();
  if (options.mode === "closed") return { remember: () => undefined, admits: () => false };
  return {
    remember(userId, available) {
      const entry = known.get(userId);
      if (entry) {
        entry.available = available;
        entry.spentBlind = 0;
        return;
      }
      if (known.size >= USERS_MAX) known.clear();
      known.set(userId, { available, spentBlind: 0 });
    },
    admits(userId, amount) {
      const entry = known.get(userId);
      if (!entry || entry.spentBlind + amount > Math.min(entry.available, options.cap)) return false;
      entry.spentBlind += amount;
      return true;
    },
  };
}
