import type {
  ConfirmTaskRequest,
  Task,
  TaskAccount,
  TaskReport,
  TaskState,
} from "@turnpike/proto/billing/v1/task_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import type { TaskRefund } from "./task-refund.ts";
import type { TaskDoc } from "../store/task-document.ts";
import { toChanges, cutText, getEnd, NO_STATE } from "./task-state.ts";
import { NOT_POLLED_MS, type TaskStore } from "./task-store.ts";

type Deps = {
  readonly store: TaskStore;
  readonly refund: TaskRefund;
  readonly nowMs: () => number;
  readonly log: Logger;
};

export type TaskService = ReturnType<typeof createTaskService>;

const PLATFORMS = ["mj", "suno"];
const MINUTE_MS = 60_000;
/** The upstream's time limit, by platform. */
const RUN_MAX_MS: Readonly<Record<string, number>> = { mj: 60 * MINUTE_MS, suno: 24 * 60 * MINUTE_MS };
/** A submission that is not confirmed within this time was lost with its relay. */
const SUBMIT_MAX_MS = 10 * MINUTE_MS;
const FIRST_LOOK_MS = 2_000;
const QUOTA_MAX = 1e15;

const invalid = (detail: string): AppError =>
  new AppError("invalid_input", `invalid ${detail}`, { params: { detail } });

function checkQuota(quota: number): void {
  if (!Number.isSafeInteger(quota) || quota < 0 || quota > QUOTA_MAX) throw invalid("quota");
}

const accountFields = (account: TaskAccount) => ({
  channelId: account.channelId,
  channelName: account.channelName,
  channelType: account.channelType,
  baseUrl: account.baseUrl,
  keyHash: account.keyHash,
  keyBox: account.keyBox,
});

function newTask(task: Task, account: TaskAccount, nowMs: number): Omit<TaskDoc, "_id"> {
  return {
    requestId: task.requestId,
    platform: task.platform,
    action: task.action,
    upstreamId: "",
    userId: task.userId,
    username: task.username,
    tokenId: task.tokenId,
    group: task.group,
    modelName: task.modelName,
    quota: task.quota,
    prompt: cutText(task.prompt),
    customId: cutText(task.customId),
    botType: cutText(task.botType),
    clientState: cutText(task.clientState),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...accountFields(account),
    ...NO_STATE,
    submitTimeMs: nowMs,
    isOpen: true,
    pollAtMs: NOT_POLLED_MS,
    claim: "",
    deadlineAtMs: nowMs + SUBMIT_MAX_MS,
    refundAtMs: 0,
    refundedQuota: 0,
  };
}

/** Task rules: an ended task stays ended, and a failed one is refunded if it was charged. */
export function createTaskService(deps: Deps) {
  const { store, refund, nowMs, log } = deps;

  /** Updates an open task; a failure makes its refund due with the same write. */
  const apply = async (id: number, state: TaskState, also: Partial<TaskDoc>): Promise<void> => {
    const end = getEnd(state);
    const at = nowMs();
    const changes = toChanges(state, at);
    const closing = end ? { isOpen: false, keyBox: "", claim: "" } : {};
    const due = end === "failure" && also.quota !== 0 ? { refundAtMs: at } : {};
    const set = { ...changes, ...also, ...closing, ...due, updatedAtMs: at };
    const after = await store.change(id, set);
    // The job does what remains.
    if (after && after.refundAtMs > 0)
      await refund(after).catch((error: unknown) => log.warn({ err: error, taskId: id }, "task refund pending"));
  };
  return {
    /** Stores a task before it is submitted; a repeat returns the first one. */
    async open(task: Task): Promise<number> {
      if (!PLATFORMS.includes(task.platform)) throw invalid("platform");
      if (task.requestId === "" || task.userId <= 0 || !task.account) throw invalid("task");
      checkQuota(task.quota);
      return (await store.insert(newTask(task, task.account, nowMs())))._id;
    },
    /** Stores the upstream's response to a submission. */
    async confirm({ id, upstreamId, state, quota, account }: ConfirmTaskRequest): Promise<void> {
      const task = await store.get(id);
      if (!task || !state) throw invalid("id");
      checkQuota(quota);
      await apply(id, state, {
        upstreamId,
        quota,
        pollAtMs: nowMs() + FIRST_LOOK_MS,
        deadlineAtMs: task.createdAtMs + (RUN_MAX_MS[task.platform] ?? SUBMIT_MAX_MS),
        ...(account ? accountFields(account) : {}),
      });
    },
    /** Stores the upstream's reports on running tasks. */
    async report(reports: readonly TaskReport[], pauseMs: number): Promise<void> {
      const also = { pollAtMs: nowMs() + Math.max(0, pauseMs) };
      for (const { id, state } of reports) await (state ? apply(id, state, also) : store.change(id, also));
    },
    /** Fails tasks that timed out, and processes pending refunds; runs on one replica. */
    async sweep(): Promise<void> {
      for (const { _id, upstreamId } of await store.overdue(nowMs())) {
        const failReason = upstreamId === "" ? "提交未得到上游确认" : "任务超时，上游没有返回结果";
        await apply(_id, { ...NO_STATE, status: "FAILURE", failReason }, { isOverdue: true });
      }
      for (const task of await store.refundable(nowMs())) await refund(task);
    },
  };
}
