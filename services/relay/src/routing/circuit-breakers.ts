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

/** A breaker that is not closed, and whether it is still open. */
export type NotClosed<Name> = { readonly name: Name; readonly isOpen: boolean };

const isOfOnePart = ({ failures, failuresOfParts }: State): boolean =>
  failuresOfParts.size > 0 && failures - Math.max(...failuresOfParts.values()) < OTHER_FAILURES_MIN;

const isFailing = (state: State): boolean =>
  state.failures >= FAILURES_MIN &&
  state.failures / (state.failures + state.successes) >= FAILURE_SHARE &&
  !isOfOnePart(state);

/** Circuit breakers by name: a key, or a channel. */
export class CircuitBreakers<Name> {
  readonly #now: () => number;
  readonly #states = new Map<Name, State>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** False while open, or half-open with a probe in progress. */
  isAvailable(name: Name): boolean {
    const state = this.#states.get(name);
    if (!state || state.openUntilMs === 0) return true;
    return this.#now() >= state.openUntilMs && !state.probeRunning;
  }

  started(name: Name): void {
    const state = this.#states.get(name);
    if (state && state.openUntilMs > 0) state.probeRunning = true;
  }

  succeeded(name: Name): void {
    const state = this.#states.get(name);
    // No entry is needed without a failure.
    if (!state) return;
    this.#rollWindow(state);
    state.successes++;
    state.probeRunning = false;
    if (state.openUntilMs > 0) this.#states.delete(name);
  }

  /** True if this failure opened it. `part`: the key that failed, for a channel's breaker. */
  failed(name: Name, part?: string): boolean {
    const state = this.#getState(name);
    this.#rollWindow(state);
    state.failures++;
    if (part !== undefined) state.failuresOfParts.set(part, (state.failuresOfParts.get(part) ?? 0) + 1);
    if (!state.probeRunning && !isFailing(state)) return false;
    const wasClosed = state.openUntilMs === 0;
    state.openUntilMs = this.#now() + Math.min(COOL_DOWN_MS * 2 ** state.opened, COOL_DOWN_MAX_MS);
    state.opened++;
    state.probeRunning = false;
    return wasClosed;
  }

  abandoned(name: Name): void {
    const state = this.#states.get(name);
    if (state) state.probeRunning = false;
  }

  getNotClosed(): NotClosed<Name>[] {
    return [...this.#states].flatMap(([name, { openUntilMs }]) =>
      openUntilMs === 0 ? [] : [{ name, isOpen: openUntilMs > this.#now() }],
    );
  }

  #getState(name: Name): State {
    const known = this.#states.get(name);
    if (known) return known;
    const counts = { failures: 0, successes: 0, openUntilMs: 0, opened: 0, probeRunning: false };
    const fresh = { ...counts, windowStartMs: this.#now(), failuresOfParts: new Map<string, number>() };
    this.#states.set(name, fresh);
    return fresh;
  }

  #rollWindow(state: State): void {
    if (this.#now() - state.windowStartMs < WINDOW_MS) return;
    state.windowStartMs = this.#now();
    state.failures = 0;
    state.successes = 0;
    state.failuresOfParts = new Map();
  }
}
