import { createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Logger } from "@turnpike/shared/log/log";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { CheckResult } from "../health/channel-checks.ts";
import type { RunCounts, RunDoc, RunKind } from "./run-model.ts";
import type { RunStore } from "./run-store.ts";

/** A kind of run: its schedule, its channels, the step for each, and the step at its end. */
export type Job = {
  readonly kind: RunKind;
  /** 0: only on request. */
  readonly everyMs: () => number;
  readonly listAfter: (after: number, limit: number) => Promise<ChannelDoc[]>;
  /** Idempotent; an error counts as skipped. */
  readonly step: (channel: ChannelDoc) => Promise<CheckResult>;
  readonly ended?: (run: RunDoc) => void;
};
export type RunWorker = ReturnType<typeof createRunWorker>;

const TICK_MS = 2_000;
/** How many channels of a run are processed concurrently. */
const SIDE_BY_SIDE = 5;

const toCounts = (results: readonly CheckResult[]): RunCounts => {
  const number = (result: CheckResult): number => results.filter((each) => each === result).length;
  const [failed, disabled, enabled] = [number("failed"), number("disabled"), number("enabled")];
  return { done: number("fit") + failed + disabled + enabled, failed: failed + disabled, disabled, enabled };
};

type Deps = { readonly runs: RunStore; readonly jobs: readonly Job[]; readonly log: Logger };

/** Executes the runs of one kind, as long as this replica holds them. */
function createJobRunner({ runs, log }: Deps, job: Job, stopped: AbortSignal) {
  const lease = runs.getLease(job.kind);

  const stepSafely = async (channel: ChannelDoc): Promise<CheckResult> => {
    try {
      return await job.step(channel);
    } catch (error) {
      log.warn({ err: error, channelId: channel._id, run: job.kind }, "channel skipped");
      return "skipped";
    }
  };
  const runBatches = async (run: RunDoc, signal: AbortSignal): Promise<void> => {
    let { cursor } = run;
    while (!signal.aborted) {
      const batch = await job.listAfter(cursor, SIDE_BY_SIDE);
      const last = batch.at(-1);
      if (!last) {
        const ended = await runs.finish(job.kind, lease.holder);
        if (ended) job.ended?.(ended);
        return;
      }
      const results = await Promise.all(batch.map(stepSafely));
      cursor = last._id;
      if (signal.aborted || !(await runs.advance(job.kind, lease.holder, cursor, toCounts(results)))) return;
    }
  };
  return {
    /** Executes the run that is due or was requested, unless another replica does. */
    async run(): Promise<void> {
      const everyMs = job.everyMs();
      if (everyMs > 0) await runs.beginWhenDue(job.kind, everyMs);
      if (!(await lease.acquire())) return;
      await lease.runHeld(async (lost) => {
        const run = await runs.get(job.kind, lease.holder);
        if (run) await runBatches(run, AbortSignal.any([lost, stopped]));
      });
    },
    release: lease.release,
  };
}

/**
 * Executes runs over all channels, each kind on one replica at a time. When a replica dies another continues, repeating
 * at most one batch.
 */
export function createRunWorker(deps: Deps) {
  const stopping = new AbortController();
  const runners = deps.jobs.map((job) => ({ job, runner: createJobRunner(deps, job, stopping.signal) }));
  const loops = runners.map(({ job, runner }) =>
    createBackgroundLoop({
      task: `${job.kind} run`,
      run: runner.run,
      everyMs: TICK_MS,
      firstMs: TICK_MS,
      log: deps.log,
    }),
  );
  return {
    start: (): void => loops.forEach((loop) => loop.start()),
    /** Looks for due runs now. */
    wake: (): void => loops.forEach((loop) => loop.wake()),
    /** Releases its runs to others; does not wait for upstream requests in progress. */
    async stop(): Promise<void> {
      stopping.abort();
      for (const loop of loops) void loop.stop();
      await Promise.all(runners.map(({ runner }) => runner.release()));
    },
  };
}
