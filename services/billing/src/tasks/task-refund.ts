import { LOG_TYPE, TOKEN_STATUS } from "@turnpike/contract/limits";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { tokenChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { ClientSession, Connection } from "mongoose";
import type { AccountChanges } from "../accounts/account-changes.ts";
import type { CreditAccount } from "../accounts/account-credit.ts";
import { runBalanceTransaction } from "../accounts/balance-transaction.ts";
import { formatQuota } from "../accounts/quota-format.ts";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { EventLog } from "../logs/event-log.ts";
import { type Collections, POSTED_RECORD_TTL_MS } from "../store/collections.ts";
import type { TokenDoc } from "../store/documents.ts";
import { isBudgetPeriod, getPeriodEnd } from "../tokens/budget-period.ts";
import type { TaskDoc } from "../store/task-document.ts";
import type { TaskStore } from "./task-store.ts";

type Deps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly store: TaskStore;
  readonly credit: CreditAccount;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly bus: Bus;
  readonly options: () => OptionsInForce;
  readonly nowMs: () => number;
};

export type TaskRefund = ReturnType<typeof createTaskRefund>;

const WAIT_MIN_MS = 1_000;
const WAIT_MAX_MS = 3_600_000;

/** When to look again for a charge that is not booked: soon at first, rarely later, never once nothing can come any more. */
export function nextTryAtMs(
  { createdAtMs, finishTimeMs }: Pick<TaskDoc, "createdAtMs" | "finishTimeMs">,
  nowMs: number,
) {
  if (nowMs - createdAtMs > POSTED_RECORD_TTL_MS) return 0;
  const waitedMs = Math.max(0, nowMs - Math.max(createdAtMs, Math.min(finishTimeMs, nowMs)));
  return nowMs + Math.min(WAIT_MAX_MS, Math.max(WAIT_MIN_MS, waitedMs));
}

/** Was the charge made in the period that the token's budget is in? One of an earlier period is no longer missing in it. */
const isOfThisPeriod = ({ budgetPeriod = "", periodEndsAt = 0 }: TokenDoc, chargedAtMs: number): boolean =>
  !isBudgetPeriod(budgetPeriod) || getPeriodEnd(budgetPeriod, Math.floor(chargedAtMs / 1000)) === periodEndsAt;

/**
 * Gives back what a failed task cost, to the user by a ledger entry and to the token's budget, in one transaction and once, whoever
 * asks how often. What counts is the charge as it was booked: until it is, the refund waits; what was never charged is never refunded.
 */
export function createTaskRefund(deps: Deps) {
  const { store, changes, nowMs } = deps;
  const { logs, postedRecords, tokens } = deps.collections;

  /** What was charged; undefined while nothing is booked. */
  const findCharge = async ({ requestId, quota }: TaskDoc, session: ClientSession): Promise<number | undefined> => {
    const row = await logs.findOne({ requestId }, { session, projection: { quota: 1 } });
    if (row) return row.quota;
    return (await postedRecords.findOne({ _id: requestId }, { session })) ? quota : undefined;
  };
  const refundToken = async (task: TaskDoc, amount: number, session: ClientSession): Promise<TokenDoc | undefined> => {
    const token = await tokens.findOne({ _id: task.tokenId, deletedAt: 0 }, { session });
    if (!token || !isOfThisPeriod(token, task.createdAtMs)) return undefined;
    const isUsedUp = token.status === TOKEN_STATUS.exhausted && token.budget + amount > token.spent;
    const set = { changedAtMs: nowMs(), ...(isUsedUp ? { status: TOKEN_STATUS.enabled } : {}) };
    await tokens.updateOne({ _id: token._id }, { $inc: { budget: amount, rev: 1 }, $set: set }, { session });
    return token;
  };
  const refundWithin = async (id: number, rowId: number, session: ClientSession) => {
    const task = await deps.collections.tasks.findOne({ _id: id }, { session });
    if (!task || task.refundAtMs === 0) return undefined;
    const amount = task.quota === 0 ? 0 : await findCharge(task, session);
    if (amount === undefined || amount === 0) {
      const refundAtMs = amount === 0 ? 0 : nextTryAtMs(task, nowMs());
      await store.noteRefund(id, { refundAtMs, refundedQuota: 0 }, session);
      return undefined;
    }
    const { userId, username, action, upstreamId } = task;
    const reason = `任务 ${action} ${upstreamId}`.trim() + " 失败退还";
    const ofTask = { id: `refund:task:${id}`, userId, kind: "refund", amount, reason };
    const { isNew } = await deps.credit(ofTask, session);
    await store.noteRefund(id, { refundAtMs: 0, refundedQuota: amount }, session);
    if (!isNew) return undefined;
    const token = await refundToken(task, amount, session);
    const content = `${reason} ${formatQuota(amount, deps.options())}`;
    const row = { type: LOG_TYPE.system, userId, username, quota: amount, content, clientIp: "" };
    await deps.eventLog.write(rowId, row, session);
    return { userId, token };
  };
  return async function refundTask({ _id, userId }: Pick<TaskDoc, "_id" | "userId">): Promise<void> {
    const rowId = await deps.eventLog.takeId();
    const refunded = await runBalanceTransaction(deps, userId, (session) => refundWithin(_id, rowId, session));
    if (!refunded) return;
    await changes.account(userId);
    const { token } = refunded;
    if (!token) return;
    await changes.budget(userId, token._id);
    deps.bus.notify(tokenChanged, { tokenId: token._id, userId, keyHash: token.keyHash });
  };
}
