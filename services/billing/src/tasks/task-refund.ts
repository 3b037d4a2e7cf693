import { LOG_TYPE, TOKEN_STATUS } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { tokenChanged } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { ClientSession, Connection } from "mongoose";
import type { AccountChanges } from "../accounts/account-changes.ts";
import type { CreditAccount } from "../accounts/account-credit.ts";
import { runBalanceTransaction } from "../accounts/balance-transaction.ts";
import { formatQuota } from "../accounts/log-amounts.ts";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { EventLog } from "../logs/event-log.ts";
import { type Collections, POSTED_RECORD_TTL_MS } from "../store/collections.ts";
import type { TokenDoc } from "../store/account-documents.ts";
import { type RefundedCall, toRefundedRow, writeRefundSums } from "../reports/refund-writer.ts";
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

/** What was charged for a task; `call` is undefined where only the fact that it was posted is known. */
type Charge = { readonly amount: number; readonly call: RefundedCall | undefined };

const NO_CHARGE: Charge = { amount: 0, call: undefined };

export type TaskRefund = ReturnType<typeof createTaskRefund>;

const WAIT_MIN_MS = 1_000;
const WAIT_MAX_MS = 3_600_000;

/**
 * When to retry for a charge that is not posted yet: soon at first, rarely later, never once it can no longer arrive.
 */
export function nextTryAtMs(
  { createdAtMs, finishTimeMs }: Pick<TaskDoc, "createdAtMs" | "finishTimeMs">,
  nowMs: number,
) {
  if (nowMs - createdAtMs > POSTED_RECORD_TTL_MS) return 0;
  const waitedMs = Math.max(0, nowMs - Math.max(createdAtMs, Math.min(finishTimeMs, nowMs)));
  return nowMs + Math.min(WAIT_MAX_MS, Math.max(WAIT_MIN_MS, waitedMs));
}

/**
 * Whether the charge was made in the token budget's current period. A charge of an earlier period no longer reduces the
 * budget.
 */
const isOfThisPeriod = ({ budgetPeriod = "", periodEndsAt = 0 }: TokenDoc, chargedAtMs: number): boolean =>
  !isBudgetPeriod(budgetPeriod) || getPeriodEnd(budgetPeriod, Math.floor(chargedAtMs / 1000)) === periodEndsAt;

/**
 * Refunds a failed task's cost, to the user by a ledger entry and to the token's budget, in one transaction and only
 * once, however often it is requested. The posted charge counts: the refund waits until it is posted, and what was
 * never charged is never refunded.
 */
export function createTaskRefund(deps: Deps) {
  const { store, changes, nowMs } = deps;
  const { logs, postedRecords, tokens } = deps.collections;

  /** The posted charge; undefined while nothing is posted. */
  const findCharge = async ({ requestId, quota }: TaskDoc, session: ClientSession): Promise<Charge | undefined> => {
    const row = await logs.findOne({ requestId }, { session });
    if (row) return { amount: row.quota, call: { ...row, createdAtSeconds: row.createdAt, channelId: row.channel } };
    const posted = await postedRecords.findOne({ _id: requestId }, { session });
    return posted ? { amount: quota, call: posted.charge } : undefined;
  };
  /** A task that timed out may have run: only what upstream itself reports as failed is taken as free. */
  const writeSums = async (task: TaskDoc, { amount, call }: Charge, session: ClientSession): Promise<void> => {
    if (!call) return;
    const refund = { amount, isCostReversed: task.isOverdue !== true };
    await writeRefundSums(deps.collections, call, refund, session);
    await logs.updateOne({ requestId: task.requestId }, { $set: toRefundedRow(call, refund) }, { session });
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
    const charge = (await findCharge(task, session)) ?? (task.quota === 0 ? NO_CHARGE : undefined);
    if (charge === undefined || charge.amount === 0) {
      if (charge) await writeSums(task, charge, session);
      const refundAtMs = charge ? 0 : nextTryAtMs(task, nowMs());
      await store.recordRefund(id, { refundAtMs, refundedQuota: 0 }, session);
      return undefined;
    }
    const { amount } = charge;
    const { userId, username, action, upstreamId } = task;
    const reason = `任务 ${action} ${upstreamId}`.trim() + " 失败退还";
    const refund = { id: `refund:task:${id}`, userId, kind: "refund", amount, reason };
    const { isNew } = await deps.credit(refund, session);
    await store.recordRefund(id, { refundAtMs: 0, refundedQuota: amount }, session);
    if (!isNew) return undefined;
    await writeSums(task, charge, session);
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
