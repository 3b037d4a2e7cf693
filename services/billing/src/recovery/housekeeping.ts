import type { Logger } from "@turnpike/shared/log/log";
import type { Lease } from "./lease.ts";

/** A job that one replica does at a time. */
export type Job = { readonly name: string; readonly everyMs: number; readonly run: () => Promise<void> };

const TICK_MS = 1_000;
const RENEW_MS = 5_000;

/**
 * Does jobs at their times on the replica that has the lease; when that one dies, another goes on. A job that fails is logged and
 * done again at its next time.
 */
export function createHousekeeping(deps: { lease: Lease; jobs: readonly Job[]; nowMs: () => number; log: Logger }) {
  const { lease, jobs, log } = deps;
  const dueAtMs = new Map(jobs.map(({ name, everyMs }) => [name, deps.nowMs() + everyMs]));
  const failing = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let ticking: Promise<void> | undefined;
  let stopped = false;

  const runJob = async ({ name, everyMs, run }: Job): Promise<void> => {
    dueAtMs.set(name, deps.nowMs() + everyMs);
    try {
      await run();
      failing.delete(name);
    } catch (error) {
      if (!failing.has(name)) log.warn({ err: error, job: name }, "a job failed; it is done again at its next time");
      failing.add(name);
    }
  };
  const tick = async (): Promise<void> => {
    const due = jobs.filter(({ name }) => (dueAtMs.get(name) ?? 0) <= deps.nowMs());
    const isOurs = await lease.hold().catch(() => false);
    // A long job must not lose the lease; one that does anyway does no harm, since every job may be done twice.
    const renewal = setInterval(() => void lease.hold().catch(() => false), RENEW_MS);
    if (isOurs) for (const job of due) if (!stopped) await runJob(job);
    clearInterval(renewal);
    if (!stopped) timer = setTimeout(begin, TICK_MS).unref();
  };
  const begin = (): void => {
    ticking = tick();
  };
  return {
    start: begin,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await ticking;
      await lease.giveBack();
    },
  };
}
