import { formatCents } from "@turnpike/contract/pricing/dollars";
import type { Order } from "@turnpike/contract/api/payment";
import type { Order as StoredOrder } from "@turnpike/proto/billing/v1/payment_service";

/** An order as its owner and administrators see it. */
export const toOrder = (order: StoredOrder): Order => ({
  id: order.id,
  user_id: order.userId,
  username: order.username,
  trade_no: order.tradeNo,
  provider: order.provider,
  payment_method: order.method,
  amount: order.amount,
  quota: order.quota,
  money: formatCents(order.moneyCents),
  currency: order.currency,
  status: order.status,
  create_time: order.createdAtSeconds,
  complete_time: order.paidAtSeconds,
  refund_time: order.refundedAtSeconds,
  refund_quota: order.refundedQuota,
  refund_reason: order.refundReason,
  provider_reference: order.providerReference,
  receipts: order.receipts.map(({ reference, moneyCents, currency, receivedAtSeconds }) => ({
    reference,
    money: formatCents(moneyCents),
    currency,
    time: receivedAtSeconds,
  })),
  settle_reason: order.settleReason,
});
