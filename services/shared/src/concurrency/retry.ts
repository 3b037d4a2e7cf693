import { setTimeout as wait } from "node:timers/promises";

/**
 * The pauses between tries of something that fails: `firstMs`, then `factor` (2) times as long each time, at most `maxMs`. Equal
 * `firstMs` and `maxMs` give a steady pause.
 */
export type Backoff = { readonly firstMs: number; readonly maxMs: number; readonly factor?: number };

type Options = {
  readonly backoff: Backoff;
  /** Includes the first one. Unlimited when absent. */
  readonly attemptsMax?: number;
  /** Ends the tries: the last error is thrown at once. */
  readonly signal?: AbortSignal;
  /** False for errors that another try cannot change; every error is retried when absent. */
  readonly isRetryable?: (error: unknown) => boolean;
  /** Called for each failure that is retried, with its number from 1. */
  readonly onRetry?: (error: unknown, failures: number) => void | Promise<void>;
};

/** A pause is up to a fifth shorter or longer than its share, so that replicas that failed together do not retry together. */
const JITTER = 0.2;

/** The pause after this many failures in a row, in milliseconds. `random` is in 0 to 1. */
export function getBackoffMs(
  { firstMs, maxMs, factor = 2 }: Backoff,
  failures: number,
  random = Math.random(),
): number {
  const steadyMs = Math.min(maxMs, firstMs * factor ** Math.max(0, failures - 1));
  return Math.round(steadyMs * (1 - JITTER + 2 * JITTER * random));
}

/** Runs a step until it succeeds. Throws its last error when it must not, or may no longer, be tried again. */
export async function retry<Result>(run: () => Promise<Result>, options: Options): Promise<Result> {
  const { backoff, attemptsMax = Infinity, signal, isRetryable } = options;
  for (let failures = 1; ; failures++) {
    try {
      return await run();
    } catch (error) {
      if (signal?.aborted || failures >= attemptsMax || isRetryable?.(error) === false) throw error;
      await options.onRetry?.(error, failures);
      await wait(getBackoffMs(backoff, failures), undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted) throw error;
    }
  }
}
