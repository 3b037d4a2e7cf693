/**
 * The circuit breaker opens if within a window at least five calls failed and they are at least half of all calls.
 * While open, its key or channel is skipped; after the open interval one half-open probe at a time is let through, and
 * its success closes the breaker.
 */
const WINDOW_MS = 60_000;
const FAILURES_MIN = 5;
const FAILURE_SHARE = 0.5;
/** For a channel with several keys: the minimum number of failures by keys other than the one that failed most. */
const OTHER_FAILURES_MIN = 2;
const COOL_DOWN_MS = 15_000;
const COOL_DOWN_MAX_MS = 240_000;

type State = {
  windowStartMs: number;
  failures: number;
  successes: number;
  openUntilMs: number;
  opened: number;
  probeRunning: boolean;
  /** Failures per part (key) within the window. */
  failuresOfParts: Map<string, number>;
};

/** Keys whose breakers are not closed. */
export type Breakers = { readonly open: readonly string[]; readonly halfOpen: readonly string[] };
export type Health = ReturnType<typeof createHealth>;

const isOfOnePart = ({ failures, failuresOfParts }: State): boolean =>
  failuresOfParts.size > 0 && failures - Math.max(...failuresOfParts.values()) < OTHER_FAILURES_MIN;

function createBreakers<Name>(now: () => number) {
  const states = new Map<Name, State>();
  const getState = (name: Name): State => {
    const known = states.get(name);
    if (known) return known;
    const counts = { failures: 0, successes: 0, openUntilMs: 0, opened: 0, probeRunning: false };
    const fresh = { ...counts, windowStartMs: now(), failuresOfParts: new Map<string, number>() };
    states.set(name, fresh);
    return fresh;
  };
  const rollWindow = (state: State): void => {
    if (now() - state.windowStartMs < WINDOW_MS) return;
    Object.assign(state, {
      windowStartMs: now(),
      failures: 0,
      successes: 0,
      failuresOfParts: new Map<string, number>(),
    });
  };
  return {
    /** False while open, or half-open with a probe in progress. */
    isAvailable(name: Name): boolean {
      const state = states.get(name);
      if (!state || state.openUntilMs === 0) return true;
      return now() >= state.openUntilMs && !state.probeRunning;
    },
    started(name: Name): void {
      const state = states.get(name);
      if (state && state.openUntilMs > 0) state.probeRunning = true;
    },
    succeeded(name: Name): void {
      const state = states.get(name);
      // No entry is needed without a failure.
      if (!state) return;
      rollWindow(state);
      state.successes++;
      state.probeRunning = false;
      if (state.openUntilMs > 0) states.delete(name);
    },
    /** True if this failure opened it. */
    failed(name: Name, part?: string): boolean {
      const state = getState(name);
      rollWindow(state);
      state.failures++;
      if (part !== undefined) state.failuresOfParts.set(part, (state.failuresOfParts.get(part) ?? 0) + 1);
      const isBad =
        state.failures >= FAILURES_MIN &&
        state.failures / (state.failures + state.successes) >= FAILURE_SHARE &&
        !isOfOnePart(state);
      if (!state.probeRunning && !isBad) return false;
      const wasClosed = state.openUntilMs === 0;
      state.openUntilMs = now() + Math.min(COOL_DOWN_MS * 2 ** state.opened, COOL_DOWN_MAX_MS);
      state.opened++;
      state.probeRunning = false;
      return wasClosed;
    },
    abandoned(name: Name): void {
      const state = states.get(name);
      if (state) state.probeRunning = false;
    },
    /** The breakers that are not closed, and whether each is still open. */
    notClosed: (): { name: Name; isOpen: boolean }[] =>
      [...states].flatMap(([name, { openUntilMs }]) =>
        openUntilMs === 0 ? [] : [{ name, isOpen: openUntilMs > now() }],
      ),
  };
}

/**
 * Circuit breakers: one per key of each channel, which stays with the key if its position in the channel changes, and
 * one per channel with several keys, for failures independent of the key: otherwise each of a thousand keys would have
 * to be tried five times. A single key never opens its channel's breaker.
 */
export function createHealth(now: () => number) {
  const ofKeys = createBreakers<string>(now);
  const ofChannels = createBreakers<number>(now);
  const getKeys = new Map<number, readonly string[]>();
  const getId = (channelId: number, key: string): string => `${channelId}/${key}`;

  /** The skipped keys of each channel, and those with a half-open probe; channels without either are omitted. */
  const breakers = (): Map<number, Breakers> => {
    const found = new Map<number, Map<string, boolean>>();
    const add = (channelId: number, key: string, isOpen: boolean): void => {
      const keys = found.get(channelId) ?? new Map<string, boolean>();
      found.set(channelId, keys.set(key, isOpen || keys.get(key) === true));
    };
    for (const { name, isOpen } of ofKeys.notClosed()) {
      const slash = name.indexOf("/");
      add(Number(name.slice(0, slash)), name.slice(slash + 1), isOpen);
    }
    for (const { name: channelId, isOpen } of ofChannels.notClosed())
      for (const key of getKeys.get(channelId) ?? []) add(channelId, key, isOpen);
    const those = (keys: ReadonlyMap<string, boolean>, wanted: boolean): string[] =>
      [...keys].flatMap(([key, isOpen]) => (isOpen === wanted ? [key] : []));
    return new Map([...found].map(([id, keys]) => [id, { open: those(keys, true), halfOpen: those(keys, false) }]));
  };
  return {
    /** False while a breaker of the key or its channel is open, or half-open with a probe in progress. */
    isHealthy: (channelId: number, key: string): boolean =>
      ofChannels.isAvailable(channelId) && ofKeys.isAvailable(getId(channelId, key)),
    /** Called when a call starts; it is the half-open probe if a breaker is not closed. */
    started(channelId: number, key: string): void {
      ofKeys.started(getId(channelId, key));
      ofChannels.started(channelId);
    },
    succeeded(channelId: number, key: string): void {
      ofKeys.succeeded(getId(channelId, key));
      ofChannels.succeeded(channelId);
    },
    /**
     * Called when a call failed; `allKeys` are the channel's keys if it would have failed with any of them. Returns
     * what was in use until this failure opened its breaker.
     */
    failed(channelId: number, key: string, allKeys: readonly string[] = []): "key" | "channel" | undefined {
      const keyOpened = ofKeys.failed(getId(channelId, key));
      if (allKeys.length > 1) {
        getKeys.set(channelId, allKeys);
        if (ofChannels.failed(channelId, key)) return "channel";
      } else ofChannels.succeeded(channelId);
      return keyOpened ? "key" : undefined;
    },
    /** Called when a call ended without a result about upstream (the client disconnected). */
    abandoned(channelId: number, key: string): void {
      ofKeys.abandoned(getId(channelId, key));
      ofChannels.abandoned(channelId);
    },
    breakers,
    /** Number of skipped keys, for metrics. */
    openCount: (): number => [...breakers().values()].reduce((sum, { open }) => sum + open.length, 0),
  };
}
