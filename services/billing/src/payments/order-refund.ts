import { LOG_TYPE } from "@turnpike/contract/codes";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { RefundOrderRequest } from "@turnpike/proto/billing/v1/payment_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { ClientSession, Connection } from "mongoose";
import type { AccountChanges } from "../accounts/account-changes.ts";
import type { CreditAccount } from "../accounts/account-credit.ts";
import { runBalanceTransaction } from "../accounts/balance-transaction.ts";
import { formatQuota } from "../accounts/log-amounts.ts";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { EventLog } from "../logs/event-log.ts";
import type { OrderDoc } from "../store/payment-documents.ts";
import { readReason } from "./order-reason.ts";
import type { OrderStore } from "./order-store.ts";

type Deps = {
  readonly connection: Connection;
  readonly store: OrderStore;
  readonly credit: CreditAccount;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly audit: RecordAudit;
  readonly options: () => OptionsInForce;
  readonly nowSeconds: () => number;
};

export type OrderRefund = ReturnType<typeof createOrderRefund>;

/** The share of the rebate to revoke for a partial refund, rounded down. */
const rebateShare = (order: OrderDoc, quota: number): number =>
  Number((BigInt(order.rebateQuota) * BigInt(quota)) / BigInt(order.quota));

/**
 * Revokes the credits of a paid order and its rebate, once, by an admin's decision; the balance may fall below 0, which
 * blocks further calls. A payment of another amount that was never credited is marked as returned. The money itself is
 * returned at the provider.
 */
export function createOrderRefund(deps: Deps) {
  const { store, options } = deps;

  const takeBack = async (order: OrderDoc, quota: number, session: ClientSession): Promise<void> => {
    const { tradeNo, userId, inviterId } = order;
    const reason = `订单 ${tradeNo} 退款`;
    await deps.credit({ id: `refund:${tradeNo}`, userId, kind: "refund", amount: -quota, reason }, session);
    const rebate = inviterId > 0 ? rebateShare(order, quota) : 0;
    if (rebate === 0) return;
    const rebateRefund = { id: `refund:rebate:${tradeNo}`, userId: inviterId, kind: "refund", amount: -rebate };
    await deps.credit({ ...rebateRefund, reason: `${reason}，收回返利` }, session);
  };
  const refundWithin = async (
    refund: { id: number; quota: number; reason: string; rowId: number },
    session: ClientSession,
  ): Promise<OrderDoc> => {
    const { id, quota, reason, rowId } = refund;
    const set = { status: "refunded", refundedAt: deps.nowSeconds(), refundedQuota: quota, refundReason: reason };
    const order = await store.move(id, { from: ["paid"], set }, session);
    if (!order) throw new AppError("order_not_refundable", `order ${id} is not paid, or refunded already`);
    await takeBack(order, quota, session);
    const content = `管理员为订单 ${order.tradeNo} 退款，扣除 ${formatQuota(quota, options())}，原因：${reason}`;
    const of = { userId: order.userId, username: order.username, clientIp: "" };
    await deps.eventLog.write(rowId, { type: LOG_TYPE.manage, ...of, quota: 0, content }, session);
    return order;
  };
  /** Closes an order whose payment was never credited: nothing is taken back. */
  const returnPayment = async (actor: Actor, known: OrderDoc, reason: string): Promise<OrderDoc> => {
    const set = { status: "returned", refundedAt: deps.nowSeconds(), refundReason: reason };
    const order = await store.move(known._id, { from: ["mismatched"], set });
    if (!order) throw new AppError("order_not_refundable", `order ${known._id} is decided already`);
    await deps.audit(actor, {
      action: "order.return",
      target: `order:${order._id}`,
      before: { status: known.status },
      after: { status: order.status, reason },
    });
    return order;
  };
  return async function refundOrder(actor: Actor, request: RefundOrderRequest): Promise<OrderDoc> {
    const reason = readReason(request.reason);
    const known = await store.get(request.id);
    if (known.status === "mismatched") return returnPayment(actor, known, reason);
    const quota = request.quota === 0 ? known.quota : request.quota;
    if (!Number.isSafeInteger(quota) || quota < 1 || quota > known.quota)
      throw new AppError("refund_quota_invalid", `quota ${quota}`, { params: { max: String(known.quota) } });
    const rowId = await deps.eventLog.takeId();
    const order = await runBalanceTransaction(deps, known.userId, (session) =>
      refundWithin({ id: known._id, quota, reason, rowId }, session),
    );
    await deps.changes.account(order.userId);
    if (order.inviterId > 0) await deps.changes.account(order.inviterId);
    const after = { status: order.status, quota, reason };
    await deps.audit(actor, {
      action: "order.refund",
      target: `order:${order._id}`,
      before: { status: "paid" },
      after,
    });
    return order;
  };
}
