import type { Order, PaymentServiceServer } from "@turnpike/proto/billing/v1/payment_service";
import type { Handlers } from "@turnpike/shared/grpc/server";
import { AppError } from "@turnpike/shared/errors/app-error";
import { allowOwner, allowSelf, requireAdmin } from "@turnpike/shared/grpc/caller";
import type { OrderDoc } from "../store/payment-documents.ts";
import type { OrderDecision } from "./order-decision.ts";
import type { OrderService } from "./order-service.ts";
import type { OrderStore } from "./order-store.ts";
import type { OrderRefund } from "./order-refund.ts";
import type { OrderSettlement } from "./order-settlement.ts";

const toOrder = (doc: OrderDoc): Order => ({
  id: doc._id,
  tradeNo: doc.tradeNo,
  userId: doc.userId,
  username: doc.username,
  provider: doc.provider,
  method: doc.method,
  amount: doc.amount,
  quota: doc.quota,
  moneyCents: doc.moneyCents,
  currency: doc.currency,
  status: doc.status,
  createdAtSeconds: doc.createdAt,
  paidAtSeconds: doc.paidAt,
  refundedAtSeconds: doc.refundedAt,
  refundedQuota: doc.refundedQuota,
  refundReason: doc.refundReason,
  providerReference: doc.providerReference,
  receipts: (doc.receipts ?? []).map(({ receivedAt, ...receipt }) => ({ ...receipt, receivedAtSeconds: receivedAt })),
  settleReason: doc.settleReason ?? "",
});

/** RPCs over payments: users buy for themselves, providers authenticate by signature, admins credit and refund. */
export const paymentHandlers = (deps: {
  orders: OrderService;
  store: OrderStore;
  settlement: OrderSettlement;
  decision: OrderDecision;
  refund: OrderRefund;
}): Handlers<PaymentServiceServer> => ({
  getPaymentInfo: async ({ userGroup }) => ({ methods: await deps.orders.methods(userGroup) }),
  quotePayment: (request) => deps.orders.quote(request),
  async createOrder(request, context) {
    allowSelf(context, request.userId);
    if (request.userId <= 0) throw new AppError("invalid_input", "no user", { params: { detail: "user_id" } });
    const { order, checkout } = await deps.orders.create(request);
    return { tradeNo: order.tradeNo, url: checkout.url, fields: { ...checkout.fields } };
  },
  handleNotify: ({ provider, ...notice }) => deps.settlement.handleNotify(provider, notice),
  async listOrders(request, context) {
    allowOwner(context, request.userId > 0 ? [request.userId] : []);
    const { items, total } = await deps.store.list(request);
    return { items: items.map(toOrder), total };
  },
  async refundOrder(request, context) {
    return { order: toOrder(await deps.refund(requireAdmin(context), request)) };
  },
  async settleOrder(request, context) {
    return { order: toOrder(await deps.decision.settle(requireAdmin(context), request)) };
  },
  async queryOrder({ id }, context) {
    requireAdmin(context);
    const { order, isPaid } = await deps.decision.query(id);
    return { order: toOrder(order), isPaid };
  },
});
