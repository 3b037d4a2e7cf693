const USERS_MAX = 50_000;

export type OpenModeLedger = {
  /** Stores the balance last returned by Redis. */
  readonly remember: (userId: number, available: number) => void;
  /** Whether this user may spend `amount` more while Redis is down. Adds the amount if so. */
  readonly admits: (userId: number, amount: number) => boolean;
};

/**
 * Implements REDIS_FAILURE_MODE: `open` serves accounts known to be positive, each up to a cap, while Redis is down;
 * `closed` admits no call.
 */
export function createFailOpenLedger(options: { mode: "open" | "closed"; cap: number }): OpenModeLedger {
  const known = new Map<number, { available: number; spentOffline: number }>();
  if (options.mode === "closed") return { remember: () => undefined, admits: () => false };
  return {
    remember(userId, available) {
      const entry = known.get(userId);
      if (entry) {
        entry.available = available;
        entry.spentOffline = 0;
        return;
      }
      if (known.size >= USERS_MAX) known.clear();
      known.set(userId, { available, spentOffline: 0 });
    },
    admits(userId, amount) {
      const entry = known.get(userId);
      if (!entry || entry.spentOffline + amount > Math.min(entry.available, options.cap)) return false;
      entry.spentOffline += amount;
      return true;
    },
  };
}
