import type { Logger } from "../log/log.ts";

const REFETCH_MS = 60_000;
const RETRY_MS = 1_000;
const DEBOUNCE_MS = 20;

export type Snapshot<Value> = {
  /** What is known now; never waits. */
  readonly current: () => Value;
  /** True once a fetch has succeeded. */
  readonly isLoaded: () => boolean;
  /** Fetches soon; calls within a few milliseconds are one fetch. */
  readonly refresh: () => void;
  /** The first fetch: resolves when it succeeded or, in the background, goes on trying after a failure. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
};

/**
 * A copy of another service's data in memory: fetched at start, when told that it changed, and every minute in case a notice was
 * lost. A failed fetch keeps the old copy and is tried again each second.
 */
export function createSnapshot<Value>(deps: {
  name: string;
  initial: Value;
  fetch: () => Promise<Value>;
  log: Logger;
  onChange?: (value: Value) => void;
}): Snapshot<Value> {
  let value = deps.initial;
  let loaded = false;
  let timer: NodeJS.Timeout | undefined;
  let fetching = false;
  let askedMeanwhile = false;
  let stopped = false;

  const schedule = (delayMs: number): void => {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void load(), delayMs);
    timer.unref();
  };
  const load = async (): Promise<void> => {
    if (fetching) {
      askedMeanwhile = true;
      return;
    }
    fetching = true;
    askedMeanwhile = false;
    let next = REFETCH_MS;
    try {
      value = await deps.fetch();
      loaded = true;
      deps.onChange?.(value);
    } catch (error) {
      deps.log.warn({ err: error, snapshot: deps.name }, "a snapshot could not be fetched; the old one stays");
      next = RETRY_MS;
    }
    fetching = false;
    schedule(askedMeanwhile ? DEBOUNCE_MS : next);
  };
  return {
    current: () => value,
    isLoaded: () => loaded,
    refresh: () => (fetching ? void (askedMeanwhile = true) : schedule(DEBOUNCE_MS)),
    start: load,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
