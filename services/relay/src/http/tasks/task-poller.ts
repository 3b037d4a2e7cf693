import type { Task, TaskReport, TaskState } from "@turnpike/proto/billing/v1/task_service";
import type { Logger } from "@turnpike/shared/log/log";
import { parseJson } from "../../core/chat/json.ts";
import {
  type OnCancel,
  type OutgoingRequest,
  receiveResponse,
  through,
  type UpstreamClient,
  type UpstreamResponse,
} from "../../upstream/upstream-client.ts";
import { getUpstreamAccount } from "./task-accounts.ts";
import { POLL_TIMEOUT_MS, type TaskPlatform } from "./task-platform.ts";
import type { TaskClient } from "./task-records.ts";

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
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
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
  const platforms = new Map<string, TaskPlatform>(deps.platforms.map((platform) => [platform.name, platform]));
  const stopping = new AbortController();
  const failing = new Set<string>();
  const underWay = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let dueAtMs = 0;

  const receive = async (request: OutgoingRequest): Promise<UpstreamResponse> => {
    let cancelThis: (() => void) | undefined;
    const onCancel: OnCancel = (cancel) => {
      cancelThis = () => cancel(new Error("the relay is stopping"));
      underWay.add(cancelThis);
    };
    try {
      return await receiveResponse(deps.client, request, { bytesMax: ANSWER_BYTES_MAX, onCancel });
    } finally {
      if (cancelThis) underWay.delete(cancelThis);
    }
  };
  const ask = async (group: readonly Task[]): Promise<ReadonlyMap<string, TaskState>> => {
    const [first] = group;
    const platform = platforms.get(first?.platform ?? "");
    if (!first?.account || !platform) throw new Error(`no platform ${first?.platform ?? ""}`);
    const upstream = getUpstreamAccount(first.account, deps.open);
    const ids = [...new Set(group.map(({ upstreamId }) => upstreamId))];
    const { status, body } = await receive({ ...platform.pollRequest(upstream, ids), ...through(upstream.proxy) });
    const states = status === 200 ? platform.readPoll(parseJson(body.toString("utf8"))) : undefined;
    if (!states) throw new Error(`upstream responded ${status} without its task list`);
    return states;
  };
  const report = async (reports: readonly TaskReport[]): Promise<void> => {
    for (const part of inParts(reports, REPORTS_AT_ONCE_MAX))
      await tasks.reportTasks({ reports: part, pauseMs: deps.everyMs }, { timeoutMs: BILLING_TIMEOUT_MS });
  };
  const pollAccount = async (group: readonly Task[]): Promise<void> => {
    const channelId = String(group[0]?.account?.channelId ?? 0);
    try {
      const states = await ask(group);
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
  const look = async (): Promise<boolean> => {
    const claim = { limit: CLAIM_MAX, leaseMs: LEASE_MS };
    const { tasks: mine, openCount } = await tasks.claimTasks(claim, { timeoutMs: BILLING_TIMEOUT_MS });
    for (const part of inParts(byAccount(mine), CALLS_AT_ONCE_MAX)) {
      if (stopping.signal.aborted) break;
      await Promise.all(part.map(pollAccount));
    }
    return openCount > 0;
  };
  const tick = async (): Promise<void> => {
    let isBusy = false;
    try {
      isBusy = await look();
    } catch (error) {
      if (!stopping.signal.aborted) log.debug({ err: error }, "tasks cannot be claimed");
    }
    running = undefined;
    schedule(isBusy ? TICK_MS : IDLE_MS);
  };
  const schedule = (inMs: number): void => {
    const at = Date.now() + inMs;
    if (stopping.signal.aborted || running || (timer && dueAtMs <= at)) return;
    clearTimeout(timer);
    dueAtMs = at;
    timer = setTimeout(() => {
      timer = undefined;
      running = tick();
    }, inMs).unref();
  };
  return {
    start: (): void => schedule(TICK_MS),
    /** Reports that a task is open. */
    wake(): void {
      schedule(TICK_MS);
    },
    /** Stops polling; other relays take over its claimed tasks. */
    async stop(): Promise<void> {
      stopping.abort();
      for (const cancel of underWay) cancel();
      clearTimeout(timer);
      await running;
    },
  };
}
