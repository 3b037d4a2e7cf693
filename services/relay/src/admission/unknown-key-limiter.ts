/** So many unknown keys of one address are looked up in a window. */
const GUESSES_MAX = 100;
const WINDOW_MS = 10_000;
const ADDRESSES_MAX = 10_000;

/**
 * Counts the unknown keys that each address sent: each of them costs a question to another service, and a flood of made-up keys must
 * not. Addresses with known keys alone are never in it.
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
