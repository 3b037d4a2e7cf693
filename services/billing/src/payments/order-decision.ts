import type { SettleOrderRequest } from "@turnpike/proto/billing/v1/payment_service";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { OrderDoc, OrderReceipt } from "../store/payment-documents.ts";
import { ORDER_QUOTA_MAX } from "./order-amounts.ts";
import type { CreditOrder } from "./order-credit.ts";
import { readReason } from "./order-reason.ts";
import { CREDITABLE, type OrderStore } from "./order-store.ts";
import type { OrderSettlement } from "./order-settlement.ts";
import type { PaymentProvider } from "./payment-provider.ts";

type Deps = {
  readonly providers: readonly PaymentProvider[];
  readonly store: OrderStore;
  readonly creditOrder: CreditOrder;
  readonly settlement: OrderSettlement;
  readonly audit: RecordAudit;
};

export type OrderDecision = ReturnType<typeof createOrderDecision>;

const REFERENCE_LENGTH_MAX = 128;

/** The quota for what was paid: the order's share of it in the same currency, rounded down; the order's own otherwise. */
function getPaidQuota(order: OrderDoc, receipt: OrderReceipt | undefined): number {
  if (!receipt || receipt.currency !== order.currency || receipt.moneyCents === 0) return order.quota;
  return Number((BigInt(order.quota) * BigInt(receipt.moneyCents)) / BigInt(order.moneyCents));
}

function checkQuota(quota: number): void {
  if (Number.isSafeInteger(quota) && quota >= 1 && quota <= ORDER_QUOTA_MAX) return;
  throw new AppError("settle_quota_invalid", `quota ${quota}`, { params: { max: String(ORDER_QUOTA_MAX) } });
}

/** Orders that no matching notification has credited: administrators credit them, or query the provider. */
export function createOrderDecision(deps: Deps) {
  const { store, providers } = deps;
  return {
    /**
     * Credits an order by hand, once: the notification was lost, or another amount was paid. Throws order_not_open for
     * an order that is credited or closed.
     */
    async settle(actor: Actor, request: SettleOrderRequest): Promise<OrderDoc> {
      const settleReason = readReason(request.reason);
      const order = await store.get(request.id);
      const receipt = order.receipts?.at(-1);
      const quota = request.quota === 0 ? getPaidQuota(order, receipt) : request.quota;
      checkQuota(quota);
      const providerReference =
        request.providerReference.trim().slice(0, REFERENCE_LENGTH_MAX) || (receipt?.reference ?? "");
      const moneyCents = receipt?.moneyCents ?? order.moneyCents;
      if (!(await deps.creditOrder(order, { providerReference, quota, moneyCents, settleReason })))
        throw new AppError("order_not_open", `order ${order._id} is ${order.status}`);
      await deps.audit(actor, {
        action: "order.settle",
        target: `order:${order._id}`,
        before: { status: order.status, quota: order.quota },
        after: { status: "paid", quota, reason: settleReason },
      });
      return store.get(order._id);
    },
    /**
     * Queries the provider whether an order is paid, and applies the result as if it had been notified. Throws
     * payment_query_failed and payment_not_configured.
     */
    async query(id: number): Promise<{ order: OrderDoc; isPaid: boolean }> {
      const order = await store.get(id);
      if (!CREDITABLE.some((status) => status === order.status))
        throw new AppError("order_not_open", `order ${order._id} is ${order.status}`);
      const provider = providers.find(({ name }) => name === order.provider);
      if (!provider) throw new AppError("payment_not_configured", `${order.provider} is not configured`);
      const statement = await provider.query(order);
      if (statement) await deps.settlement.settle(provider.name, statement);
      return { order: await store.get(id), isPaid: statement?.event === "paid" };
    },
  };
}
