/** The smoothing factor of the averages. */
const SHARE_OF_NEW = 0.3;
/** A measurement older than this is ignored: the channel is tried like a new one. */
const STALE_MS = 60_000;
/** The minimum share of its weight that a slow channel keeps, so that it is measured again. */
const FACTOR_MIN = 0.05;
const ENTRIES_MAX = 20_000;

type Measured = { ms: number; atMs: number };

export type Latencies = ReturnType<typeof createLatencies>;

/** Time to first byte of channels by latency key: non-streaming responses and streams of one model. */
export function createLatencies(now: () => number) {
  const measured = new Map<string, Measured>();
  const getId = (channelId: number, latencyKey: string): string => `${channelId} ${latencyKey}`;
  const current = (channelId: number, latencyKey: string): number | undefined => {
    const known = measured.get(getId(channelId, latencyKey));
    return known && now() - known.atMs < STALE_MS ? known.ms : undefined;
  };
  return {
    record(channelId: number, latencyKey: string, ms: number): void {
      const id = getId(channelId, latencyKey);
      const known = current(channelId, latencyKey);
      if (measured.size >= ENTRIES_MAX) measured.clear();
      measured.set(id, { ms: known === undefined ? ms : known + (ms - known) * SHARE_OF_NEW, atMs: now() });
    },
    /**
     * The factor of each channel's weight: 1 for the fastest and for unmeasured ones, the square of the ratio for
     * others.
     */
    factors(channelIds: readonly number[], latencyKey: string): number[] {
      const all = channelIds.map((id) => current(id, latencyKey));
      const fastest = Math.max(1, Math.min(...all.filter((ms) => ms !== undefined)));
      return all.map((ms) => (ms === undefined ? 1 : Math.max(FACTOR_MIN, Math.min(1, fastest / ms) ** 2)));
    },
  };
}
