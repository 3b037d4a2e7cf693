import type { Logger } from "@turnpike/shared/log/log";
import type { Lease } from "@turnpike/shared/lease/lease";
import { createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";

/** A job that runs on one replica at a time. */
export type Job = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<void> };

const TICK_MS = 1_000;
const RENEW_MS = 5_000;

/**
 * Runs scheduled jobs on the replica that holds the lease; when that replica dies, another takes over. Jobs run
 * concurrently, so that a long one does not delay the others. A failed job is logged and runs again at its next time.
 */
export function createJobScheduler(deps: {
  lease: Pick<Lease, "acquire" | "release">;
  jobs: readonly Job[];
  nowMs: () => number;
  log: Logger;
}) {
  const { lease, jobs, nowMs, log } = deps;
  const dueAtMs = new Map(jobs.map(({ name, everyMs }) => [name, nowMs() + everyMs]));
  const failing = new Set<string>();
  const running = new Map<string, Promise<void>>();
  let isOurs = false;
  let heldAtMs = 0;

  const runJob = async ({ name, everyMs, run }: Job): Promise<void> => {
    dueAtMs.set(name, nowMs() + everyMs);
    try {
      await run();
      failing.delete(name);
    } catch (error) {
      if (!failing.has(name)) log.warn({ err: error, job: name }, "job failed, will run again at its next time");
      failing.add(name);
    } finally {
      running.delete(name);
    }
  };
  const isDue = ({ name }: Job): boolean => !running.has(name) && (dueAtMs.get(name) ?? 0) <= nowMs();
  const startDue = async (signal: AbortSignal): Promise<void> => {
    // Held while jobs run, too: a long one must not lose the lease. Losing it anyway is harmless because every job may
    // run twice.
    if (nowMs() - heldAtMs >= RENEW_MS || jobs.some(isDue)) {
      isOurs = await lease.acquire().catch(() => false);
      heldAtMs = nowMs();
    }
    if (isOurs && !signal.aborted) for (const job of jobs.filter(isDue)) running.set(job.name, runJob(job));
  };
  const loop = createBackgroundLoop({ task: "housekeeping", run: startDue, everyMs: TICK_MS, log });
  return {
    start: loop.start,
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(running.values());
      await lease.release();
    },
  };
}
