/** How fast the figures follow new calls. */
const SHARE_OF_NEW = 0.3;
/** A figure older than this says nothing any more: the channel is tried like a new one. */
const STALE_MS = 60_000;
/** However slow a channel was, it keeps this share of its weight, so that it is measured again. */
const FACTOR_MIN = 0.05;
const ENTRIES_MAX = 20_000;

type Measured = { ms: number; atMs: number };

export type Latencies = ReturnType<typeof createLatencies>;

/** How long channels take until the first byte, by lane: whole answers and streams of one model. */
export function createLatencies(now: () => number) {
  const measured = new Map<string, Measured>();
  const idOf = (channelId: number, latencyKey: string): string => `${channelId} ${latencyKey}`;
  const current = (channelId: number, latencyKey: string): number | undefined => {
    const known = measured.get(idOf(channelId, latencyKey));
    return known && now() - known.atMs < STALE_MS ? known.ms : undefined;
  };
  return {
    note(channelId: number, latencyKey: string, ms: number): void {
      const id = idOf(channelId, latencyKey);
      const known = current(channelId, latencyKey);
      if (measured.size >= ENTRIES_MAX) measured.clear();
      measured.set(id, { ms: known === undefined ? ms : known + (ms - known) * SHARE_OF_NEW, atMs: now() });
    },
    /** By what each channel's weight is multiplied: 1 for the fastest and for those not measured, the square of the ratio for others. */
    factors(channelIds: readonly number[], latencyKey: string): number[] {
      const all = channelIds.map((id) => current(id, latencyKey));
      const fastest = Math.max(1, Math.min(...all.filter((ms) => ms !== undefined)));
      return all.map((ms) => (ms === undefined ? 1 : Math.max(FACTOR_MIN, Math.min(1, fastest / ms) ** 2)));
    },
  };
}
