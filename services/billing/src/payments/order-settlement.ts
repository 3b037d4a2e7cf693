import type { HandleNotifyResponse } from "@turnpike/proto/billing/v1/payment_service";
import { orderMismatched } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import type { OrderDoc } from "../store/payment-documents.ts";
import type { CreditOrder } from "./order-credit.ts";
import { CREDITABLE, type OrderStore } from "./order-store.ts";
import type { Notice, PaymentProvider, ProviderName, RefusalReason, Statement } from "./payment-provider.ts";

type Deps = {
  readonly providers: readonly PaymentProvider[];
  readonly store: OrderStore;
  readonly creditOrder: CreditOrder;
  readonly bus: Pick<Bus, "notify">;
  readonly nowSeconds: () => number;
  readonly log: Logger;
};

export type OrderSettlement = ReturnType<typeof createOrderSettlement>;

const ACCEPTED: HandleNotifyResponse = { accepted: true, reason: "" };
const refused = (reason: RefusalReason): HandleNotifyResponse => ({ accepted: false, reason });

const isOfOrder = (order: OrderDoc, provider: string, statement: Statement): boolean =>
  order.provider === provider && order.checkoutReference === statement.checkoutReference;

const isAsAgreed = (order: OrderDoc, { moneyCents, currency }: Statement): boolean =>
  moneyCents === order.moneyCents && currency === order.currency;

/**
 * Whether the payment is another one than that which credited the order. A checkout can be paid once; without one, the
 * provider's payment id decides, where an administrator has not credited the order without it.
 */
const isSecondPayment = (order: OrderDoc, { providerReference }: Statement): boolean =>
  order.checkoutReference === "" &&
  order.providerReference !== "" &&
  providerReference !== "" &&
  order.providerReference !== providerReference;

/**
 * Applies a provider's report to an order. Paid money is credited in one transaction with the order's state, once,
 * however often and in whatever order notifications arrive: late money for an expired order still counts, and a paid
 * order never reverts. Money that is not as agreed is stored with the order, and administrators are notified.
 */
export function createOrderSettlement(deps: Deps) {
  const { store } = deps;

  const storeReceipt = async (order: OrderDoc, statement: Statement): Promise<void> => {
    const { moneyCents = 0, currency, providerReference: reference } = statement;
    const receipt = { reference, moneyCents, currency, receivedAt: deps.nowSeconds() };
    const changed = await store.addReceipt(order._id, receipt);
    if (!changed) return;
    const { tradeNo, userId, username } = order;
    const expected = { expectedCents: order.moneyCents, expectedCurrency: order.currency };
    const received = { receivedCents: moneyCents, receivedCurrency: currency };
    deps.bus.notify(orderMismatched, { orderId: order._id, tradeNo, userId, username, ...expected, ...received });
    deps.log.warn({ tradeNo, userId, ...expected, ...received }, "payment not credited: not as ordered");
  };
  const applyPayment = async (order: OrderDoc, statement: Statement): Promise<HandleNotifyResponse> => {
    const isOpen = CREDITABLE.some((status) => status === order.status);
    if (isOpen && isAsAgreed(order, statement)) {
      const { providerReference } = statement;
      await deps.creditOrder(order, { providerReference, quota: order.quota, moneyCents: order.moneyCents });
      return ACCEPTED;
    }
    if (isOpen) {
      await storeReceipt(order, statement);
      return refused("wrong_amount");
    }
    // A paid order stays paid: a repeated notification gets the same response as the first.
    if (order.receipts?.some(({ reference }) => reference === statement.providerReference)) return ACCEPTED;
    const isOdd = !isAsAgreed(order, statement);
    if (isOdd || order.status === "returned" || isSecondPayment(order, statement)) await storeReceipt(order, statement);
    return isOdd ? refused("wrong_amount") : ACCEPTED;
  };
  /** Applies a verified report; the response is for the provider. */
  const settle = async (provider: ProviderName, statement: Statement): Promise<HandleNotifyResponse> => {
    const order = await store.find(statement.tradeNo);
    if (!order || !isOfOrder(order, provider, statement)) return refused("unknown_order");
    if (statement.event === "paid") return applyPayment(order, statement);
    await store.move(order._id, { from: ["pending"], set: { status: statement.event } });
    return ACCEPTED;
  };
  return {
    settle,
    async handleNotify(providerName: string, notice: Notice): Promise<HandleNotifyResponse> {
      const provider = deps.providers.find(({ name }) => name === providerName);
      if (!provider) return refused("not_configured");
      const reading = await provider.read(notice);
      if (reading.verdict === "ignored") return ACCEPTED;
      const response =
        reading.verdict === "refused" ? refused(reading.reason) : await settle(provider.name, reading.statement);
      if (!response.accepted) {
        const tradeNo = reading.verdict === "reported" ? reading.statement.tradeNo : "";
        deps.log.warn({ provider: providerName, reason: response.reason, tradeNo }, "payment notification rejected");
      }
      return response;
    },
  };
}
