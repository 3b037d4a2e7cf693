import type { ConfirmTaskRequest, Task, TaskServiceServer } from "@turnpike/proto/billing/v1/task_service";
import { retry } from "@turnpike/shared/concurrency/retry";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { Logger } from "@turnpike/shared/log/log";
import { RelayError } from "../../core/errors/relay-error.ts";

export type TaskClient = Pick<
  GrpcClient<TaskServiceServer>,
  "openTask" | "confirmTask" | "findTasks" | "claimTasks" | "reportTasks" | "wakeTasks"
>;
export type TaskRecords = ReturnType<typeof createTaskRecords>;

const CALL_TIMEOUT_MS = 3_000;
const CONFIRM_TRIES = 3;
const CONFIRM_PAUSE_MS = 300;
const LATE_PAUSE_MS = 5_000;
/** Billing fails a task that is not confirmed within ten minutes. */
const LATE_TRIES = 110;
const LATE_MAX = 10_000;

const unavailable = (cause: unknown): RelayError =>
  new RelayError("service_unavailable", "tasks cannot be read or written right now", { retryAfterSeconds: 2, cause });

/** The relay's client of billing's task records; service_unavailable if billing does not respond. */
export function createTaskRecords(deps: { tasks: TaskClient; log: Logger }) {
  const { tasks, log } = deps;
  const options = { timeoutMs: CALL_TIMEOUT_MS };
  const stopping = new AbortController();
  let late = 0;

  const confirmWithin = async (request: ConfirmTaskRequest, tries: number, pauseMs: number): Promise<boolean> => {
    const backoff = { firstMs: pauseMs, maxMs: pauseMs };
    const confirmTask = () => tasks.confirmTask(request, options);
    try {
      await retry(confirmTask, { backoff, attemptsMax: tries, signal: stopping.signal });
      return true;
    } catch (error) {
      log.warn({ err: error, taskId: request.id }, "task submission could not be recorded");
      return false;
    }
  };
  return {
    async open(task: Task): Promise<number> {
      try {
        return (await tasks.openTask({ task }, options)).id;
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    /** Records upstream's response; if that fails, it is retried in the background. */
    async confirm(request: ConfirmTaskRequest): Promise<void> {
      if (await confirmWithin(request, CONFIRM_TRIES, CONFIRM_PAUSE_MS)) return;
      if (late >= LATE_MAX) return;
      late++;
      void confirmWithin(request, LATE_TRIES, LATE_PAUSE_MS).finally(() => late--);
    },
    /** Tasks by upstream's ids, in any order; of one user, or of all users for 0. */
    async find(userId: number, platform: string, upstreamIds: readonly string[]): Promise<readonly Task[]> {
      if (upstreamIds.length === 0) return [];
      try {
        return (await tasks.findTasks({ userId, platform, upstreamIds }, options)).tasks;
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    async wake(platform: string, upstreamId: string): Promise<void> {
      try {
        await tasks.wakeTasks({ platform, upstreamIds: [upstreamId] }, options);
      } catch (cause) {
        throw unavailable(cause);
      }
    },
    stop: (): void => stopping.abort(),
  };
}
