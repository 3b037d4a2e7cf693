import type { Logger } from "../log/log.ts";
import { type Backoff, getBackoffMs } from "./retry.ts";

export type BackgroundLoop = {
  /** Runs the task now and from then on. Calling it again changes nothing. */
  readonly start: () => void;
  /** Runs the task within this time (default: now), or once more after the run in progress; starts the loop if need be. */
  readonly wake: (withinMs?: number) => void;
  /** Aborts the signal of the run in progress and resolves when it has ended. No run begins afterwards. */
  readonly stop: () => Promise<void>;
};

type Options = {
  /** The task's name in log lines. */
  readonly task: string;
  /**
   * One run. A returned number is the pause before the next one in milliseconds, instead of `everyMs`. A run that lasts calls
   * `markHealthy` once it works, so that a later failure counts as a new outage.
   */
  readonly run: (signal: AbortSignal, markHealthy: () => void) => Promise<number | void>;
  /** The pause between the end of a run and the next one; `Infinity` for a task that runs only when woken. */
  readonly everyMs: number;
  /** The pause before the first run; 0 when absent. */
  readonly firstMs?: number;
  /** The pauses while runs fail; `everyMs` when absent. */
  readonly backoff?: Backoff;
  /** Receives one line per outage, not one per failed run. Absent for tasks whose failures are reported elsewhere. */
  readonly log?: Logger;
  /** The level of the failure's line: `info` for a task that regularly waits for another service at the start. */
  readonly failureLevel?: "warn" | "info";
};

/**
 * A task that a service runs over and over, never twice at once, until it stops. A run that throws is retried. The pauses do not keep the
 * process alive.
 */
export function createBackgroundLoop(options: Options): BackgroundLoop {
  const { task, run, everyMs, firstMs = 0, backoff, log, failureLevel = "warn" } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isStarted = false;
  let failures = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When the next run begins; infinite while none is due. */
  let dueAtMs = Infinity;

  const markHealthy = (): void => {
    if (failures > 0) log?.info({ task }, "background task recovered");
    failures = 0;
  };
  const runOnce = async (): Promise<number> => {
    try {
      const pauseMs = await run(signal, markHealthy);
      markHealthy();
      return pauseMs ?? everyMs;
    } catch (error) {
      failures++;
      if (failures === 1 && !signal.aborted)
        log?.[failureLevel]({ err: error, task }, "background task failed, will be retried");
      return backoff ? getBackoffMs(backoff, failures) : everyMs;
    }
  };
  const begin = async (): Promise<void> => {
    dueAtMs = Infinity;
    const pauseMs = await runOnce();
    running = undefined;
    dueAtMs = Math.min(dueAtMs, performance.now() + pauseMs);
    armTimer();
  };
  const armTimer = (): void => {
    clearTimeout(timer);
    if (signal.aborted || running || dueAtMs === Infinity) return;
    const onDue = (): void => {
      running = begin();
    };
    timer = setTimeout(onDue, Math.max(0, dueAtMs - performance.now())).unref();
  };
  const schedule = (withinMs: number): void => {
    const atMs = performance.now() + withinMs;
    if (atMs >= dueAtMs) return;
    dueAtMs = atMs;
    armTimer();
  };
  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      schedule(firstMs);
    },
    wake: (withinMs = 0) => schedule(withinMs),
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
