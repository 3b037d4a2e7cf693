import { START_WAIT_MS } from "../lifecycle/readiness.ts";
import type { Logger } from "../log/log.ts";

const REFETCH_MS = 60_000;
const RETRY_MS = 1_000;
/** Services that are up should have their first snapshot before calls arrive. */
const STARTING_RETRY_MS = 100;
const DEBOUNCE_MS = 20;

export type Snapshot<Value> = {
  /** The current copy; never waits. */
  readonly current: () => Value;
  /** True once a fetch has succeeded. */
  readonly isLoaded: () => boolean;
  /** Schedules a fetch; calls within a few milliseconds share one fetch. */
  readonly refresh: () => void;
  /** The first fetch: resolves when it succeeded; after a failure it resolves too, and retries in the background. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
};

const getCode = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error);

/** Logs failures: one line per outage, not one per attempt, and no stack while services start. */
function createFailureLog(name: string, log: Logger) {
  let logged: string | undefined;
  return {
    failed(error: unknown, { isLoaded, isStart }: { isLoaded: boolean; isStart: boolean }): void {
      const code = getCode(error);
      const isStarting = isStart && code === "unavailable";
      const state = isStarting ? "starting" : code;
      if (state === logged) return;
      logged = state;
      if (isStarting) return log.info({ snapshot: name }, "waiting for the owner of a snapshot");
      // Without an older copy calls that need it are refused.
      log.warn({ err: error, snapshot: name, hasOlderCopy: isLoaded }, "snapshot refresh failed, retrying");
    },
    fetched(): void {
      if (logged !== undefined) log.info({ snapshot: name }, "snapshot refresh recovered");
      logged = undefined;
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
  const failureLog = createFailureLog(deps.name, deps.log);
  let value = deps.initial;
  let loaded = false;
  let timer: NodeJS.Timeout | undefined;
  let fetching = false;
  let isRequestedAgain = false;
  let stopped = false;

  const schedule = (delayMs: number): void => {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void load(), delayMs);
    timer.unref();
  };
  const load = async (): Promise<void> => {
    if (fetching) {
      isRequestedAgain = true;
      return;
    }
    fetching = true;
    isRequestedAgain = false;
    const isStart = !loaded && Date.now() < startUntilMs;
    let next = REFETCH_MS;
    try {
      value = await deps.fetch();
      loaded = true;
      deps.onChange?.(value);
      failureLog.fetched();
    } catch (error) {
      failureLog.failed(error, { isLoaded: loaded, isStart });
      next = isStart ? STARTING_RETRY_MS : RETRY_MS;
    }
    fetching = false;
    schedule(isRequestedAgain ? DEBOUNCE_MS : next);
  };
  return {
    current: () => value,
    isLoaded: () => loaded,
    refresh: () => (fetching ? void (isRequestedAgain = true) : schedule(DEBOUNCE_MS)),
    start: load,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
