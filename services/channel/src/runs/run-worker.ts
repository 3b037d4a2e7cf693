import type { Logger } from "@turnpike/shared/log/log";
import { randomUUID } from "node:crypto";
import type { ChannelDoc } from "../channels/channel-model.ts";
import type { StepResult } from "../health/channel-checks.ts";
import type { RunCounts, RunDoc, RunKind } from "./run-model.ts";
import type { RunStore } from "./run-store.ts";

/** A kind of run: its schedule, its channels, the step for each, and the step at its end. */
export type Job = {
  readonly kind: RunKind;
  /** 0: only on request. */
  readonly everyMs: () => number;
  readonly listAfter: (after: number, limit: number) => Promise<ChannelDoc[]>;
  /** Idempotent; an error counts as skipped. */
  readonly step: (channel: ChannelDoc) => Promise<StepResult>;
  readonly ended?: (run: RunDoc) => void;
};
export type RunWorker = ReturnType<typeof createRunWorker>;

const TICK_MS = 2_000;
const RENEW_MS = 5_000;
/** How many channels of a run are processed concurrently. */
const SIDE_BY_SIDE = 5;

const toCounts = (results: readonly StepResult[]): RunCounts => {
  const number = (result: StepResult): number => results.filter((each) => each === result).length;
  const [failed, disabled, enabled] = [number("failed"), number("disabled"), number("enabled")];
  return { done: number("fit") + failed + disabled + enabled, failed: failed + disabled, disabled, enabled };
};

/**
 * Executes runs over all channels, each kind on one replica at a time. When a replica dies another continues, repeating
 * at most one batch.
 */
export function createRunWorker(deps: { runs: RunStore; jobs: readonly Job[]; log: Logger }) {
  const { runs, jobs, log } = deps;
  const holder = randomUUID();
  const busy = new Set<RunKind>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const stepSafely = async (job: Job, channel: ChannelDoc): Promise<StepResult> => {
    try {
      return await job.step(channel);
    } catch (error) {
      log.warn({ err: error, channelId: channel._id, run: job.kind }, "channel skipped");
      return "skipped";
    }
  };
  const goOn = async (job: Job, run: RunDoc, isMine: () => boolean): Promise<void> => {
    let { cursor } = run;
    while (isMine()) {
      const batch = await job.listAfter(cursor, SIDE_BY_SIDE);
      const last = batch.at(-1);
      if (!last) {
        const ended = await runs.finish(job.kind, holder);
        if (ended) job.ended?.(ended);
        return;
      }
      const results = await Promise.all(batch.map((channel) => stepSafely(job, channel)));
      cursor = last._id;
      if (!isMine() || !(await runs.advance(job.kind, holder, cursor, toCounts(results)))) return;
    }
  };
  const work = async (job: Job, run: RunDoc): Promise<void> => {
    let isLost = false;
    const renew = async (): Promise<void> => {
      isLost = !(await runs.renew(job.kind, holder));
    };
    // A missed renewal is harmless: the lease outlasts several of them.
    const renewal = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
    await goOn(job, run, () => !stopped && !isLost).finally(() => clearInterval(renewal));
  };
  const look = async (job: Job): Promise<void> => {
    if (busy.has(job.kind) || stopped) return;
    busy.add(job.kind);
    try {
      const everyMs = job.everyMs();
      if (everyMs > 0) await runs.beginWhenDue(job.kind, everyMs);
      const run = await runs.take(job.kind, holder);
      if (run) await work(job, run);
    } catch (error) {
      if (!stopped) log.warn({ err: error, run: job.kind }, "channel run delayed");
    } finally {
      busy.delete(job.kind);
    }
  };
  const tick = (): void => {
    for (const job of jobs) void look(job);
  };
  return {
    start(): void {
      timer ??= setInterval(tick, TICK_MS).unref();
    },
    /** Looks for due runs now. */
    wake: tick,
    /** Releases its runs to others; does not wait for upstream requests in progress. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await runs.release(holder).catch(() => undefined);
    },
  };
}
