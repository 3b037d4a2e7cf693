import { Mutex, Semaphore } from "async-mutex";
import { AppError } from "../errors/app-error.ts";

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;

type Entry = { readonly mutex: Mutex; callers: number };
/** The number of keys that may run at the same time, and the number of callers that may wait. */
type Bounds = { readonly concurrencyMax: number; readonly waitingMax: number };

/**
 * A mutex per key: runs of one key execute in order, runs of different keys in parallel, within the optional bounds.
 * Throws `unavailable` when too many callers wait. It orders the work of one process only; across replicas the database
 * does.
 */
export function createKeyedMutex(bounds?: Bounds) {
  const entries = new Map<string, Entry>();
  const semaphore = bounds && new Semaphore(bounds.concurrencyMax);
  const callersMax = bounds ? bounds.concurrencyMax + bounds.waitingMax : Number.POSITIVE_INFINITY;
  let callers = 0;

  return async function runExclusive<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
    if (callers >= callersMax) throw new AppError("unavailable", "too many callers wait for a lock");
    const entry = entries.get(key) ?? { mutex: new Mutex(), callers: 0 };
    entries.set(key, entry);
    entry.callers++;
    callers++;
    try {
      return await entry.mutex.runExclusive(() => (semaphore ? semaphore.runExclusive(run) : run()));
    } finally {
      callers--;
      if (--entry.callers === 0) entries.delete(key);
    }
  };
}
