import type { Logger } from "@turnpike/shared/log/log";
import type { Lease } from "./lease.ts";

/** A job that runs on one replica at a time. */
export type Job = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<void> };

const TICK_MS = 1_000;
const RENEW_MS = 5_000;

/**
 * Runs scheduled jobs on the replica that holds the lease; when that replica dies, another takes over. Jobs run
 * concurrently, so that a long one does not delay the others. A failed job is logged and runs again at its next time.
 */
export function createJobScheduler(deps: { lease: Lease; jobs: readonly Job[]; nowMs: () => number; log: Logger }) {
  const { lease, jobs, log } = deps;
  const dueAtMs = new Map(jobs.map(({ name, everyMs }) => [name, deps.nowMs() + everyMs]));
  const failing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> | undefined;
  let stopped = false;
  const running = new Map<string, Promise<void>>();

  const runJob = async ({ name, everyMs, run }: Job): Promise<void> => {
    dueAtMs.set(name, deps.nowMs() + everyMs);
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
  const isDue = ({ name }: Job): boolean => !running.has(name) && (dueAtMs.get(name) ?? 0) <= deps.nowMs();
  const tick = async (): Promise<void> => {
    // Held while jobs run, too: a long one must not lose the lease. Losing it anyway is harmless because every job may
    // run twice.
    if (deps.nowMs() - heldAtMs >= RENEW_MS || jobs.some(isDue)) {
      isOurs = await lease.hold().catch(() => false);
      heldAtMs = deps.nowMs();
    }
    if (isOurs && !stopped) for (const job of jobs.filter(isDue)) running.set(job.name, runJob(job));
    if (!stopped) timer = setTimeout(begin, TICK_MS).unref();
  };
  let isOurs = false;
  let heldAtMs = 0;
  const begin = (): void => {
    ticking = tick();
  };
  return {
    start: begin,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      await Promise.all(running.values());
      await lease.giveBack();
    },
  };
}
