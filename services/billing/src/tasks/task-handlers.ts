import type { TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { requireService } from "@turnpike/shared/grpc/caller";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { allowOwner } from "@turnpike/shared/grpc/caller";
import { toPageRange } from "../store/query.ts";
import type { TaskService } from "./task-service.ts";
import type { TaskStore } from "./task-store.ts";
import { toClaimedTask, toListedTask, toTask } from "./task-view.ts";

const CLAIM_MAX = 500;
const LEASE_MAX_MS = 300_000;
const IDS_MAX = 500;

function checkIds(ids: readonly string[]): void {
  if (ids.length > IDS_MAX || ids.includes(""))
    throw new AppError("invalid_input", "upstream ids", { params: { detail: "upstream_ids" } });
}

/** RPCs over tasks: relays create and poll them, users list their own, admins all. */
export const taskHandlers = (deps: {
  tasks: TaskService;
  store: TaskStore;
  nowMs: () => number;
}): Handlers<TaskServiceServer> => ({
  async openTask({ task }, context) {
    requireService(context);
    if (!task) throw new AppError("invalid_input", "no task", { params: { detail: "task" } });
    return { id: await deps.tasks.open(task) };
  },
  async confirmTask(request, context) {
    requireService(context);
    await deps.tasks.confirm(request);
    return {};
  },
  async findTasks({ userId, platform, upstreamIds }, context) {
    requireService(context);
    checkIds(upstreamIds);
    return { tasks: (await deps.store.find(userId, platform, upstreamIds)).map(toTask) };
  },
  async claimTasks({ limit, leaseMs }, context) {
    requireService(context);
    const lease = Math.min(LEASE_MAX_MS, Math.max(1_000, leaseMs));
    const tasks = await deps.store.claim(Math.min(CLAIM_MAX, Math.max(1, limit)), deps.nowMs(), lease);
    return { tasks: tasks.map(toClaimedTask), openCount: await deps.store.countOpen() };
  },
  async reportTasks({ reports, pauseMs }, context) {
    requireService(context);
    await deps.tasks.report(reports, pauseMs);
    return {};
  },
  async wakeTasks({ platform, upstreamIds }, context) {
    requireService(context);
    checkIds(upstreamIds);
    return { woken: await deps.store.wake(platform, upstreamIds, deps.nowMs()) };
  },
  async listTasks(request, context) {
    allowOwner(context, request.userId > 0 ? [request.userId] : []);
    const { items, total } = await deps.store.list(request, toPageRange(request, 0));
    return { items: items.map(toListedTask), total };
  },
});
