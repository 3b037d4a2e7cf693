import type { Task, TaskReport } from "@turnpike/proto/billing/v1/task_service";
import { createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Logger } from "@turnpike/shared/log/log";
import type { UpstreamClient } from "../../upstream/upstream-client.ts";
import { POLL_TIMEOUT_MS, type TaskPlatform } from "../wire/task-platform.ts";
import type { TaskClient } from "../accounting/task-records.ts";
import { TaskUpstreams } from "./task-upstreams.ts";

type Deps = {
  readonly tasks: TaskClient;
  readonly client: UpstreamClient;
  readonly platforms: readonly TaskPlatform[];
  /** Decrypts a key. */
  readonly open: (box: string) => string;
  /** Interval between two polls of one task. */
  readonly everyMs: number;
  readonly log: Logger;
};

const TICK_MS = 1_000;
/**
 * Interval while this relay knows of no open task: tasks of other relays, which may have died, wait at most this long.
 */
const IDLE_MS = 30_000;
const CLAIM_MAX = 200;
const LEASE_MS = 2 * POLL_TIMEOUT_MS;
const IDS_AT_ONCE_MAX = 50;
const CALLS_AT_ONCE_MAX = 10;
const REPORTS_AT_ONCE_MAX = 25;
const BILLING_TIMEOUT_MS = 10_000;

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Maximum tasks per poll request, all of one account. */
function byAccount(tasks: readonly Task[]): Task[][] {
  const groups = Map.groupBy(tasks, ({ platform, account }) => `${platform} ${account?.baseUrl} ${account?.keyHash}`);
  return [...groups.values()].flatMap((group) => inParts(group, IDS_AT_ONCE_MAX));
}

export type TaskPoller = ReturnType<typeof createTaskPoller>;

/**
 * Polls open tasks: claims some that are due, requests their states upstream and reports them. Each task is claimed by
 * one relay at a time; a claimed task without a report is later claimed by another relay.
 */
export function createTaskPoller(deps: Deps) {
  const { tasks, log } = deps;
  const upstreams = new TaskUpstreams(deps);
  const stopping = new AbortController();
  const failing = new Set<string>();

  const report = async (reports: readonly TaskReport[]): Promise<void> => {
    for (const part of inParts(reports, REPORTS_AT_ONCE_MAX))
      await tasks.reportTasks({ reports: part, pauseMs: deps.everyMs }, { timeoutMs: BILLING_TIMEOUT_MS });
  };
  const pollAccount = async (group: readonly Task[]): Promise<void> => {
    const channelId = String(group[0]?.account?.channelId ?? 0);
    try {
      const states = await upstreams.getStates(group);
      failing.delete(channelId);
      await report(group.map(({ id, upstreamId }) => ({ id, state: states.get(upstreamId) })));
    } catch (error) {
      // One log line per outage, not one per poll.
      if (!failing.has(channelId) && !stopping.signal.aborted)
        log.warn({ err: error, channelId }, "task poll failed, will be retried");
      failing.add(channelId);
    }
  };
  /** Polls once; returns whether more tasks are due. */
  const checkOnce = async (): Promise<boolean> => {
    const claim = { limit: CLAIM_MAX, leaseMs: LEASE_MS };
    const { tasks: mine, openCount } = await tasks.claimTasks(claim, { timeoutMs: BILLING_TIMEOUT_MS });
    for (const part of inParts(byAccount(mine), CALLS_AT_ONCE_MAX)) {
      if (stopping.signal.aborted) break;
      await Promise.all(part.map(pollAccount));
    }
    return openCount > 0;
  };
  const run = async (): Promise<number> => ((await checkOnce()) ? TICK_MS : IDLE_MS);
  const loop = createBackgroundLoop({ task: "task polls", run, everyMs: IDLE_MS, firstMs: TICK_MS });
  return {
    start: loop.start,
    /** Reports that a task is open. */
    wake: (): void => loop.wake(TICK_MS),
    /** Stops polling; other relays take over its claimed tasks. */
    async stop(): Promise<void> {
      stopping.abort();
      upstreams.cancel();
      await loop.stop();
    },
  };
}
