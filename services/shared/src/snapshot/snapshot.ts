import { START_WAIT_MS } from "../lifecycle/readiness.ts";
import type { Logger } from "../log/log.ts";

const REFETCH_MS = 60_000;
const RETRY_MS = 1_000;
/** While services start, nobody should find one that is up and knows nothing yet. */
const STARTING_RETRY_MS = 100;
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

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/** Tells of failures: one line for each outage, not one for each attempt, and none with a stack while services start. */
function createTelling(name: string, log: Logger) {
  let told: string | undefined;
  return {
    failed(error: unknown, { isLoaded, isStart }: { isLoaded: boolean; isStart: boolean }): void {
      const code = codeOf(error);
      const isStarting = isStart && code === "unavailable";
      const state = isStarting ? "starting" : code;
      if (state === told) return;
      told = state;
      if (isStarting) return log.info({ snapshot: name }, "waiting for the service that a snapshot comes from");
      const rest = isLoaded ? "the old one stays" : "there is none yet";
      log.warn(
        { err: error, snapshot: name },
        `a snapshot could not be fetched; ${rest}, and it is tried until it can`,
      );
    },
    fetched(): void {
      if (told !== undefined) log.info({ snapshot: name }, "a snapshot could be fetched again");
      told = undefined;
    },
  };
}

/**
 * An in-memory copy of another service's data: fetched at start, on change notifications, and every minute in case a
 * notification was lost. A failed fetch keeps the old copy and is retried each second, more often during startup.
 */
export function createSnapshot<Value>(deps: {
  name: string;
  initial: Value;
  fetch: () => Promise<Value>;
  log: Logger;
  onChange?: (value: Value) => void;
}): Snapshot<Value> {
  const startUntilMs = Date.now() + START_WAIT_MS;
  const telling = createTelling(deps.name, deps.log);
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
    const isStart = !loaded && Date.now() < startUntilMs;
    let next = REFETCH_MS;
    try {
      value = await deps.fetch();
      loaded = true;
      deps.onChange?.(value);
      telling.fetched();
    } catch (error) {
      telling.failed(error, { isLoaded: loaded, isStart });
      next = isStart ? STARTING_RETRY_MS : RETRY_MS;
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
