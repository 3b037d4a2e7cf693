/** Maximum number of unknown keys per address that are looked up in one window. */
const GUESSES_MAX = 100;
const WINDOW_MS = 10_000;
const ADDRESSES_MAX = 10_000;

/**
 * Counts the unknown keys sent by each address. Each unknown key costs a lookup in another service, so the number of
 * lookups is limited. Addresses that only send known keys are not tracked.
 */
export function createUnknownKeyLimiter(now: () => number) {
  const windows = new Map<string, { fromMs: number; count: number }>();
  const current = (address: string) => {
    const window = windows.get(address);
    return window && now() - window.fromMs < WINDOW_MS ? window : undefined;
  };
  return {
    note(address: string): void {
      const window = current(address);
      if (window) {
        window.count++;
        return;
      }
      if (windows.size >= ADDRESSES_MAX) windows.clear();
      windows.set(address, { fromMs: now(), count: 1 });
    },
    isSpent: (address: string): boolean => windows.size > 0 && (current(address)?.count ?? 0) >= GUESSES_MAX,
    waitSeconds(address: string): number {
      const window = current(address);
      return window ? Math.ceil((window.fromMs + WINDOW_MS - now()) / 1000) : 1;
    },
  };
}
