import { LOG_TYPE } from "@turnpike/contract/limits";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { formatCents } from "@turnpike/contract/pricing/money";
import type { HandleNotifyResponse } from "@turnpike/proto/billing/v1/payment_service";
import { orderPaid } from "@turnpike/shared/events/billing";
import type { Bus } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection } from "mongoose";
import type { AccountChanges } from "../accounts/account-changes.ts";
import { type CreditAccount, retryOnDuplicateKey } from "../accounts/account-credit.ts";
import { formatQuota } from "../accounts/quota-format.ts";
import type { Rebates } from "../accounts/rebates.ts";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { getAccountLock } from "../accounts/balance-transaction.ts";
import type { EventLog } from "../logs/event-log.ts";
import type { OrderDoc } from "../store/documents.ts";
import type { OrderStore } from "./order-store.ts";
import type { Notice, PaymentProvider, RefusalReason, Statement } from "./payment-provider.ts";

type Deps = {
  readonly connection: Connection;
  readonly providers: readonly PaymentProvider[];
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

export type OrderSettlement = ReturnType<typeof createOrderSettlement>;

const ACCEPTED: HandleNotifyResponse = { accepted: true, reason: "" };
const refused = (reason: RefusalReason): HandleNotifyResponse => ({ accepted: false, reason });

/** Whether a provider's statement matches the agreed order. */
function findPaymentMismatch(order: OrderDoc, provider: string, statement: Statement): RefusalReason | undefined {
  if (order.provider !== provider) return "unknown_order";
  if (order.checkoutReference !== statement.checkoutReference) return "unknown_order";
  if (statement.event !== "paid") return undefined;
  const isSame = statement.moneyCents === order.moneyCents && statement.currency === order.currency;
  return isSame ? undefined : "wrong_amount";
}

/** Credits a paid order, once, in one transaction with its state; the returned function returns false for a repeat. */
function createOrderCredit(deps: Deps) {
  const { connection, store, eventLog, options } = deps;

  const creditWithin = async (order: OrderDoc, providerReference: string, rowId: number, session: ClientSession) => {
    const set = { status: "paid", paidAt: deps.nowSeconds(), providerReference };
    const paid = await store.move(order._id, { from: ["pending", "expired", "failed"], set }, session);
    if (!paid) return false;
    const { tradeNo, userId, username, quota, inviterId, inviterName } = paid;
    const reason = `使用在线充值成功，充值金额: ${formatQuota(quota, options())}，支付金额：${formatCents(paid.moneyCents)}，订单号 ${tradeNo}`;
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
  return async function creditOnce(order: OrderDoc, providerReference: string): Promise<boolean> {
    // Repeats arrive in bursts: most of them are detected without a transaction.
    const now = await store.find(order.tradeNo);
    if (now?.status === "paid" || now?.status === "refunded") return false;
    // The second number is for the rebate's row.
    const rowId = await eventLog.takeId(2);
    return retryOnDuplicateKey(() =>
      inTransaction(connection, (session) => creditWithin(order, providerReference, rowId, session)),
    );
  };
}

/**
 * Applies a provider's report to an order. Paid money is credited in one transaction with the order's state, once,
 * however often and in whatever order notifications arrive: late money for an expired order still counts, and a paid
 * order never reverts.
 */
export function createOrderSettlement(deps: Deps) {
  const { store } = deps;
  const creditOnce = createOrderCredit(deps);

  const pay = async (order: OrderDoc, statement: Statement): Promise<HandleNotifyResponse> => {
    const isNew = await deps.runExclusive(getAccountLock(order.userId), () =>
      creditOnce(order, statement.providerReference),
    );
    // Also after a repeat: the first attempt may have crashed between its commit and this point.
    await deps.changes.account(order.userId);
    if (order.inviterId > 0) await deps.changes.account(order.inviterId);
    if (isNew) {
      const { tradeNo, userId, quota } = order;
      deps.bus.notify(orderPaid, { tradeNo, userId, quota });
      deps.log.info({ tradeNo, userId, quota }, "order paid");
    }
    return ACCEPTED;
  };
  const settle = async (provider: string, statement: Statement): Promise<HandleNotifyResponse> => {
    const order = await store.find(statement.tradeNo);
    if (!order) return refused("unknown_order");
    const mismatch = findPaymentMismatch(order, provider, statement);
    if (mismatch) return refused(mismatch);
    if (statement.event !== "paid") {
      await store.move(order._id, { from: ["pending"], set: { status: statement.event } });
      return ACCEPTED;
    }
    // A paid order stays paid: a repeated notification gets the same response as the first.
    if (order.status === "refunded") return ACCEPTED;
    return pay(order, statement);
  };
  return async function handleNotify(providerName: string, notice: Notice): Promise<HandleNotifyResponse> {
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
  };
}
