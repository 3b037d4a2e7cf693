/** Delays that double from `firstMs` to `lastMs` and reset after a run that lasted `resetAfterMs`. */
export function createBackoff(options: { firstMs: number; lastMs: number; resetAfterMs: number; now: () => number }) {
  let waitMs = options.firstMs;
  let startedAt = options.now();
  return {
    started(): void {
      startedAt = options.now();
    },
    nextMs(): number {
      if (options.now() - startedAt >= options.resetAfterMs) waitMs = options.firstMs;
      const current = waitMs;
      waitMs = Math.min(waitMs * 2, options.lastMs);
      return current;
    },
  };
}
