import { randomUUID } from "node:crypto";
import type { ListTasksRequest } from "@turnpike/proto/billing/v1/task_service";
import { isDuplicateKey, allocateIds } from "@turnpike/shared/mongo/mongo";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { ClientSession, Connection, mongo } from "mongoose";
import { type PageRange, QUERY_TIMEOUT_MS, SKIP_MAX } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { TaskDoc } from "../store/task-document.ts";

const OPEN_COUNT_MAX = 1_000;
const DUE_MAX = 100;
/** A task without a submission response is not polled. */
export const NOT_POLLED_MS = Number.MAX_SAFE_INTEGER;

const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };
const searching = { maxTimeMS: SEARCH_TIMEOUT_MS };

export type TaskStore = ReturnType<typeof createTaskStore>;

function toFilter(request: ListTasksRequest): mongo.Filter<TaskDoc> {
  const { userId, platform, channelId, upstreamId, action, status, startMs, endMs } = request;
  const range = { ...(startMs > 0 ? { $gte: startMs } : {}), ...(endMs > 0 ? { $lte: endMs } : {}) };
  return {
    platform,
    ...(userId > 0 ? { userId } : {}),
    ...(channelId > 0 ? { channelId } : {}),
    ...(upstreamId === "" ? {} : { upstreamId }),
    ...(action === "" ? {} : { action }),
    ...(status === "" ? {} : { status }),
    ...(startMs > 0 || endMs > 0 ? { createdAtMs: range } : {}),
  };
}

const DETAILS = ["promptEn", "buttonsJson", "propertiesJson"] as const;

/**
 * The same task submitted again, for which the upstream returns its earlier result: the data that only the first row
 * has is copied, because the task's buttons would not work otherwise.
 */
function withDetails(task: TaskDoc, earlier: TaskDoc | undefined): TaskDoc {
  if (earlier?.userId !== task.userId) return task;
  const missing = DETAILS.filter((name) => task[name] === "" && earlier[name] !== "");
  return { ...task, ...Object.fromEntries(missing.map((name) => [name, earlier[name]])) };
}

type Deps = { readonly connection: Connection } & Pick<Collections, "tasks">;

function createTaskQueries({ tasks }: Deps) {
  return {
    get: async (id: number): Promise<TaskDoc | undefined> => (await tasks.findOne({ _id: id }, bounded)) ?? undefined,
    /** The newest task per upstream id. */
    async find(userId: number, platform: string, upstreamIds: readonly string[]): Promise<TaskDoc[]> {
      const which = { platform, upstreamId: { $in: [...upstreamIds] }, ...(userId > 0 ? { userId } : {}) };
      const found = await tasks.find(which, bounded).sort({ _id: 1 }).limit(SKIP_MAX).toArray();
      const newest = new Map<string, TaskDoc>();
      for (const task of found) newest.set(task.upstreamId, withDetails(task, newest.get(task.upstreamId)));
      return [...newest.values()];
    },
    countOpen: (): Promise<number> => tasks.countDocuments({ isOpen: true }, { ...bounded, limit: OPEN_COUNT_MAX }),
    /** One page, newest first, and the number of all (exact up to 100 000). */
    async list(request: ListTasksRequest, range: PageRange): Promise<{ items: TaskDoc[]; total: number }> {
      const which = toFilter(request);
      const newest = { createdAtMs: -1, _id: -1 } as const;
      const items = (): Promise<TaskDoc[]> =>
        tasks.find(which, searching).sort(newest).skip(range.skip).limit(range.limit).toArray();
      const count = (): Promise<number> => tasks.countDocuments(which, { ...searching, limit: SKIP_MAX });
      return readSearchPage({ items, count }, range);
    },
  };
}

function createTaskWrites({ connection, tasks }: Deps) {
  return {
    /** Stores a new task; for a known request id, returns the existing task. */
    async insert(task: Omit<TaskDoc, "_id">): Promise<TaskDoc> {
      const doc = { _id: await allocateIds(connection, "tasks"), ...task };
      try {
        await tasks.insertOne(doc);
        return doc;
      } catch (error) {
        const known = isDuplicateKey(error) ? await tasks.findOne({ requestId: task.requestId }, bounded) : null;
        if (known) return known;
        throw error;
      }
    },
    /** Updates a task while it is open; undefined, with nothing written, when it has ended or is unknown. */
    async change(id: number, set: Partial<TaskDoc>, session?: ClientSession): Promise<TaskDoc | undefined> {
      const options = { returnDocument: "after" as const, ...(session ? { session } : bounded) };
      return (await tasks.findOneAndUpdate({ _id: id, isOpen: true }, { $set: set }, options)) ?? undefined;
    },
    /** Records the outcome of a refund, within its transaction. */
    async recordRefund(id: number, set: Pick<TaskDoc, "refundAtMs" | "refundedQuota">, session: ClientSession) {
      await tasks.updateOne({ _id: id }, { $set: set }, { session });
    },
  };
}

/** What is due: tasks to poll, to time out and to refund. */
function createTaskSchedule({ tasks }: Deps) {
  return {
    /** Leases due tasks, each to one caller, until the lease ends. */
    async claim(limit: number, nowMs: number, leaseMs: number): Promise<TaskDoc[]> {
      const due = { isOpen: true, pollAtMs: { $lte: nowMs } };
      const ids = await tasks
        .find(due, { ...bounded, projection: { _id: 1 } })
        .sort({ pollAtMs: 1 })
        .limit(limit)
        .toArray();
      if (ids.length === 0) return [];
      const claim = randomUUID();
      const mine = { _id: { $in: ids.map(({ _id }) => _id) } };
      await tasks.updateMany({ ...mine, ...due }, { $set: { claim, pollAtMs: nowMs + leaseMs } }, bounded);
      return tasks.find({ ...mine, claim, isOpen: true }, bounded).toArray();
    },
    /** Schedules open tasks for polling now, unless a relay has leased them. */
    async wake(platform: string, upstreamIds: readonly string[], nowMs: number): Promise<number> {
      const which = { platform, upstreamId: { $in: [...upstreamIds] }, isOpen: true };
      const { matchedCount } = await tasks.updateMany(which, { $min: { pollAtMs: nowMs } }, bounded);
      return matchedCount;
    },
    /** Open tasks that timed out. */
    overdue: (nowMs: number): Promise<TaskDoc[]> =>
      tasks
        .find({ isOpen: true, deadlineAtMs: { $lte: nowMs } }, bounded)
        .sort({ deadlineAtMs: 1 })
        .limit(DUE_MAX)
        .toArray(),
    /** Failed tasks whose refund is due. */
    refundable: (nowMs: number): Promise<TaskDoc[]> =>
      tasks
        .find({ refundAtMs: { $gt: 0, $lte: nowMs } }, bounded)
        .sort({ refundAtMs: 1 })
        .limit(DUE_MAX)
        .toArray(),
  };
}

/** The only file that accesses stored tasks. Every read is bounded. */
export const createTaskStore = (deps: Deps) => ({
  ...createTaskQueries(deps),
  ...createTaskWrites(deps),
  ...createTaskSchedule(deps),
});
