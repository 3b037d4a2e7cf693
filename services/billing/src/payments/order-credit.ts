import { LOG_TYPE } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatCents } from "@turnpike/contract/pricing/dollars";
import { orderPaid } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { AccountChanges } from "../accounts/account-changes.ts";
import { type CreditAccount, retryOnDuplicateKey } from "../accounts/account-credit.ts";
import { formatQuota } from "../accounts/log-amounts.ts";
import type { Rebates } from "../accounts/rebates.ts";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { getAccountLock } from "../accounts/balance-transaction.ts";
import type { EventLog } from "../logs/event-log.ts";
import type { OrderDoc } from "../store/payment-documents.ts";
import { CREDITABLE, type OrderStore } from "./order-store.ts";

export type OrderCreditDeps = {
  readonly connection: Connection;
  readonly store: OrderStore;
  readonly credit: CreditAccount;
  readonly rebates: Rebates;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly bus: Bus;
  readonly options: () => OptionsInForce;
  readonly nowSeconds: () => number;
  readonly log: Logger;
};

/** How an order is credited: as ordered, or as an administrator decided. */
export type Credit = {
  readonly providerReference: string;
  readonly quota: number;
  /** What was paid. */
  readonly moneyCents: number;
  /** The administrator's reason, undefined for a provider's notification. */
  readonly settleReason?: string;
};

export type CreditOrder = ReturnType<typeof createOrderCredit>;

/** Credits an order that is not credited yet, once, in one transaction with its state; the returned function returns false for a repeat. */
export function createOrderCredit(deps: OrderCreditDeps) {
  const { connection, store, eventLog, options } = deps;

  const creditWithin = async (order: OrderDoc, credit: Credit, rowId: number, session: ClientSession) => {
    const { providerReference, quota, settleReason } = credit;
    const set = { status: "paid", paidAt: deps.nowSeconds(), providerReference, quota };
    const decided = settleReason === undefined ? {} : { settleReason };
    const paid = await store.move(order._id, { from: CREDITABLE, set: { ...set, ...decided } }, session);
    if (!paid) return false;
    const { tradeNo, userId, username, inviterId, inviterName } = paid;
    const way = settleReason === undefined ? "使用在线充值成功" : "管理员确认在线充值";
    const reason = `${way}，充值金额: ${formatQuota(quota, options())}，支付金额：${formatCents(credit.moneyCents)}，订单号 ${tradeNo}`;
    const id = `order:${tradeNo}`;
    await deps.credit({ id, userId, kind: "top_up", amount: quota, reason }, session);
    const event = { type: LOG_TYPE.topUp, userId, username, quota, content: reason, clientIp: "" };
    await eventLog.write(rowId, event, session);
    const inviter = inviterId > 0 ? { id: inviterId, username: inviterName } : undefined;
    const cause = { id, quota, payerName: username, inviter, rowId: rowId + 1 };
    const rebateQuota = await deps.rebates.give(cause, session);
    if (rebateQuota > 0) await store.move(order._id, { from: ["paid"], set: { rebateQuota } }, session);
    return true;
  };
  const creditOnce = async (order: OrderDoc, credit: Credit): Promise<boolean> => {
    // Repeats arrive in bursts: most of them are detected without a transaction.
    const now = await store.find(order.tradeNo);
    if (!CREDITABLE.some((status) => status === now?.status)) return false;
    // The second number is for the rebate's row.
    const rowId = await eventLog.takeId(2);
    return retryOnDuplicateKey(() =>
      inTransaction(connection, (session) => creditWithin(order, credit, rowId, session)),
    );
  };
  return async function creditOrder(order: OrderDoc, credit: Credit): Promise<boolean> {
    const isNew = await deps.runExclusive(getAccountLock(order.userId), () => creditOnce(order, credit));
    // Also after a repeat: the first attempt may have crashed between its commit and this point.
    await deps.changes.account(order.userId);
    if (order.inviterId > 0) await deps.changes.account(order.inviterId);
    if (isNew) {
      const { tradeNo, userId } = order;
      deps.bus.notify(orderPaid, { tradeNo, userId, quota: credit.quota });
      deps.log.info({ tradeNo, userId, quota: credit.quota }, "order paid");
    }
    return isNew;
  };
}
