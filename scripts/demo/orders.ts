import { LOG_TYPE } from "@turnpike/contract/codes";
import { allocateIds, inTransaction } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { createEventLog } from "../../services/billing/src/logs/event-log.ts";
import type { Collections } from "../../services/billing/src/store/collections.ts";
import type { OrderDoc } from "../../services/billing/src/store/payment-documents.ts";
import type { SeedUser } from "../seed/cast.ts";

const QUOTA_PER_DOLLAR = 500_000;
const DOLLARS = [10, 20, 50, 100, 200] as const;
const CENTS = 100;
const YUAN_PER_DOLLAR = 7.3;
const WAYS = [
  { provider: "stripe", method: "card", currency: "USD", rate: 1 },
  { provider: "epay", method: "alipay", currency: "CNY", rate: YUAN_PER_DOLLAR },
  { provider: "epay", method: "wxpay", currency: "CNY", rate: YUAN_PER_DOLLAR },
] as const;
/** Minimum balance of a user after the month. */
const LEFT_DOLLARS = 5;
/** Orders that were never paid. */
const UNPAID_SHARE = 0.12;

type Deps = { readonly connection: Connection; readonly collections: Collections; readonly random: () => number };

type Purchase = { readonly dollars: number; readonly atSeconds: number; readonly isPaid: boolean };

/** The purchases that pay for what a user spent, spread over the month, oldest first. */
function planPurchases(spentDollars: number, days: { from: number; to: number }, random: () => number): Purchase[] {
  const purchases: Purchase[] = [];
  const atSomeTime = (): number => Math.floor(days.from + random() * (days.to - days.from));
  const needed = spentDollars + LEFT_DOLLARS + random() * 20;
  for (let paid = 0; paid < needed;) {
    const dollars =
      DOLLARS[Math.min(DOLLARS.length - 1, Math.floor(random() * 3) + (needed - paid > 100 ? 2 : 0))] ?? 10;
    purchases.push({ dollars, atSeconds: purchases.length === 0 ? days.from : atSomeTime(), isPaid: true });
    paid += dollars;
  }
  if (random() < UNPAID_SHARE * 3) purchases.push({ dollars: 20, atSeconds: atSomeTime(), isPaid: false });
  return purchases.toSorted((a, b) => a.atSeconds - b.atSeconds);
}

function toOrder(
  id: number,
  user: SeedUser,
  { dollars, atSeconds, isPaid }: Purchase,
  way: (typeof WAYS)[number],
): OrderDoc {
  const paid = isPaid ? { status: "paid", paidAt: atSeconds + 40 } : { status: "expired", paidAt: 0 };
  return {
    _id: id,
    tradeNo: `DEMO${user.id}N${id}`,
    userId: user.id,
    username: user.username,
    provider: way.provider,
    method: way.method,
    amount: dollars,
    quota: dollars * QUOTA_PER_DOLLAR,
    moneyCents: Math.round(dollars * way.rate * CENTS),
    currency: way.currency,
    createdAt: atSeconds,
    refundedAt: 0,
    refundedQuota: 0,
    refundReason: "",
    inviterId: 0,
    inviterName: "",
    rebateQuota: 0,
    checkoutReference: "",
    providerReference: isPaid ? `pi_demo_${id}` : "",
    ...paid,
  };
}

/** Stores a paid order, its ledger entry, its log row and the credit, as billing would have. */
async function settle({ connection, collections }: Deps, order: OrderDoc): Promise<void> {
  const { userId, username, quota, tradeNo, paidAt, moneyCents } = order;
  const amount = `＄${(quota / QUOTA_PER_DOLLAR).toFixed(6)} 额度`;
  const reason = `使用在线充值成功，充值金额: ${amount}，支付金额：${(moneyCents / CENTS).toFixed(2)}，订单号 ${tradeNo}`;
  const eventLog = createEventLog({ connection, collections, nowSeconds: () => paidAt });
  const rowId = await eventLog.takeId();
  await inTransaction(connection, async (session) => {
    const change = { $inc: { credits: quota, balance: quota, rev: 1 }, $set: { changedAtMs: Date.now() } };
    const account = await collections.accounts.findOneAndUpdate({ _id: userId }, change, {
      session,
      returnDocument: "after",
    });
    const creditsAfter = account?.credits ?? quota;
    const entry = { _id: `order:${tradeNo}`, userId, kind: "top_up", amount: quota, creditsAfter, reason };
    await collections.ledger.insertOne({ ...entry, createdAtMs: paidAt * 1000 }, { session });
    await collections.orders.insertOne(order, { session });
    const event = { type: LOG_TYPE.topUp, userId, username, quota, content: reason, clientIp: "" };
    await eventLog.write(rowId, event, session);
  });
}

/** Gives each user the orders that paid for their usage, and some that were not paid. */
export async function createOrders(
  deps: Deps,
  users: readonly SeedUser[],
  days: { readonly from: number; readonly to: number },
): Promise<number> {
  const { connection, collections, random } = deps;
  let count = 0;
  for (const user of users) {
    const spent = (await collections.accounts.findOne({ _id: user.id }))?.spent ?? 0;
    for (const purchase of planPurchases(spent / QUOTA_PER_DOLLAR, days, random)) {
      const way = WAYS[Math.floor(random() * WAYS.length)] ?? WAYS[0];
      const order = toOrder(await allocateIds(connection, "orders"), user, purchase, way);
      if (purchase.isPaid) await settle(deps, order);
      else await collections.orders.insertOne(order);
      count++;
    }
  }
  return count;
}
