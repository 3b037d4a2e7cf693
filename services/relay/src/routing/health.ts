/**
 * A breaker for each key of each channel, which stays with the key when its place in the channel changes: it opens when, within a window, at least five calls failed and half of all did. While
 * open the key is passed over; after a cool-down one trial call at a time is let through, and its success closes it again.
 */
const WINDOW_MS = 60_000;
const FAILURES_MIN = 5;
const FAILURE_SHARE = 0.5;
const COOL_DOWN_MS = 15_000;
const COOL_DOWN_MAX_MS = 240_000;

type State = {
  windowStartMs: number;
  failures: number;
  successes: number;
  openUntilMs: number;
  opened: number;
  trialRunning: boolean;
};

/** Keys whose breakers are not closed. */
export type Breakers = { readonly open: readonly string[]; readonly trial: readonly string[] };
export type Health = ReturnType<typeof createHealth>;

export function createHealth(now: () => number) {
  const states = new Map<string, State>();
  const stateOf = (id: string): State => {
    const known = states.get(id);
    if (known) return known;
    const fresh = { windowStartMs: now(), failures: 0, successes: 0, openUntilMs: 0, opened: 0, trialRunning: false };
    states.set(id, fresh);
    return fresh;
  };
  const rollWindow = (state: State): void => {
    if (now() - state.windowStartMs < WINDOW_MS) return;
    Object.assign(state, { windowStartMs: now(), failures: 0, successes: 0 });
  };
  const idOf = (channelId: number, key: string): string => `${channelId}/${key}`;
  return {
    /** False while the breaker is open, or half open with its trial under way. */
    isHealthy(channelId: number, key: string): boolean {
      const state = states.get(idOf(channelId, key));
      if (!state || state.openUntilMs === 0) return true;
      return now() >= state.openUntilMs && !state.trialRunning;
    },
    /** A call starts; it is the trial when the breaker is not closed. */
    started(channelId: number, key: string): void {
      const state = states.get(idOf(channelId, key));
      if (state && state.openUntilMs > 0) state.trialRunning = true;
    },
    succeeded(channelId: number, key: string): void {
      const id = idOf(channelId, key);
      const state = states.get(id);
      // A key that never failed needs no entry.
      if (!state) return;
      rollWindow(state);
      state.successes++;
      state.trialRunning = false;
      if (state.openUntilMs > 0) states.delete(id);
    },
    /** True when this failure has just opened the breaker of a key that was in use. */
    failed(channelId: number, key: string): boolean {
      const state = stateOf(idOf(channelId, key));
      rollWindow(state);
      state.failures++;
      const isBad =
        state.failures >= FAILURES_MIN && state.failures / (state.failures + state.successes) >= FAILURE_SHARE;
      if (!state.trialRunning && !isBad) return false;
      const wasInUse = state.openUntilMs === 0;
      state.openUntilMs = now() + Math.min(COOL_DOWN_MS * 2 ** state.opened, COOL_DOWN_MAX_MS);
      state.opened++;
      state.trialRunning = false;
      return wasInUse;
    },
    /** A call ended without telling anything about upstream (the caller left). */
    abandoned(channelId: number, key: string): void {
      const state = states.get(idOf(channelId, key));
      if (state) state.trialRunning = false;
    },
    /** The keys of each channel that are passed over now, and those on trial; channels with none are left out. */
    breakers(): Map<number, Breakers> {
      const byChannel = new Map<number, { open: string[]; trial: string[] }>();
      for (const [id, { openUntilMs }] of states) {
        if (openUntilMs === 0) continue;
        const slash = id.indexOf("/");
        const channelId = Number(id.slice(0, slash));
        const found = byChannel.get(channelId) ?? { open: [], trial: [] };
        (openUntilMs > now() ? found.open : found.trial).push(id.slice(slash + 1));
        byChannel.set(channelId, found);
      }
      return byChannel;
    },
    /** Breakers that are open now, for metrics. */
    openCount: (): number => [...states.values()].filter((state) => state.openUntilMs > now()).length,
  };
}
