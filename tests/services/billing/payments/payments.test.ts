import { describe, expect, it } from "vitest";
import { actor, admin } from "../billing-world.ts";
import { ACCEPTED, EPAY_KEY, epayNotice, hasCode, usePayments } from "./payment-world.ts";

const at = usePayments();
const { buy, getCredits, getOrder, newUser, notify } = at;

describe("payment options", () => {
  it("returns the configured methods at the price of the user's group", async () => {
    const { methods } = await at.world.payments.getPaymentInfo({ userGroup: "vip" });
    expect(methods).toEqual([
      { provider: "epay", method: "zfb", amountMin: 1, unitPrice: "3.65", currency: "cny" },
      { provider: "epay", method: "wx", amountMin: 1, unitPrice: "3.65", currency: "cny" },
      { provider: "stripe", method: "stripe", amountMin: 1, unitPrice: "4", currency: "usd" },
    ]);
  });

  it("costs amount × price × ratio, in dollars or in quota units", async () => {
    const quote = (amount: number, userGroup = "default", method = "zfb") =>
      at.world.payments.quotePayment({ amount, userGroup, method });
    expect(await quote(3)).toEqual({ moneyCents: 2_190, currency: "cny", quota: 1_500_000 });
    expect(await quote(3, "vip")).toEqual({ moneyCents: 1_095, currency: "cny", quota: 1_500_000 });
    expect(await quote(3, "default", "stripe")).toEqual({ moneyCents: 2_400, currency: "usd", quota: 1_500_000 });
    await at.world.setOption("DisplayInCurrencyEnabled", "false");
    try {
      expect(await quote(500_001)).toEqual({ moneyCents: 730, currency: "cny", quota: 500_001 });
      await expect(quote(499_999)).rejects.toMatchObject({
        code: "payment_amount_too_small",
        params: { min: "500000" },
      });
    } finally {
      await at.world.setOption("DisplayInCurrencyEnabled", "true");
    }
  });

  it.each([
    [0, "payment_amount_too_small"],
    [-3, "payment_amount_too_small"],
    [200_000, "payment_amount_too_large"],
  ])("refuses an amount of %d", async (amount, expected) => {
    await expect(buy(newUser(), { amount })).rejects.toEqual(hasCode(expected));
  });

  it("returns no method without keys", async () => {
    at.world.secrets.delete("EpayKey");
    at.world.secrets.delete("StripeApiSecret");
    try {
      expect(await at.world.payments.getPaymentInfo({ userGroup: "" })).toEqual({ methods: [] });
      await expect(buy(newUser())).rejects.toEqual(hasCode("payment_not_configured"));
      await expect(buy(newUser(), { method: "stripe" })).rejects.toEqual(hasCode("payment_not_configured"));
    } finally {
      at.world.secrets.set("EpayKey", EPAY_KEY);
      at.world.secrets.set("StripeApiSecret", "sk_test_secret");
    }
    await expect(buy(newUser(), { method: "gold" })).rejects.toEqual(hasCode("payment_method_unknown"));
  });

  it("lets a user buy only for themselves", async () => {
    const request = { userId: 1, username: "", userGroup: "", amount: 1, method: "zfb", origin: "", address: "" };
    await expect(at.world.payments.createOrder(request, actor(newUser()))).rejects.toEqual(
      hasCode("permission_denied"),
    );
  });
});

describe("orders", () => {
  const all = {
    userId: 0,
    page: 1,
    pageSize: 10,
    keyword: "",
    status: "",
    provider: "",
    startSeconds: 0,
    endSeconds: 0,
  };

  it("lists orders for their owner and, by name or number, for admins", async () => {
    const [userId, stranger] = [newUser(), newUser()];
    const { tradeNo } = await buy(userId);
    const second = await buy(userId, { method: "stripe", amount: 2 });
    const own = await at.world.payments.listOrders({ ...all, userId }, actor(userId));
    expect(own.items.map((order) => order.tradeNo)).toEqual([second.tradeNo, tradeNo]);
    await expect(at.world.payments.listOrders({ ...all, userId }, actor(stranger))).rejects.toEqual(
      hasCode("permission_denied"),
    );
    await expect(at.world.payments.listOrders(all, actor(stranger))).rejects.toEqual(hasCode("permission_denied"));
    const find = async (changes: Partial<typeof all>) =>
      (await at.world.payments.listOrders({ ...all, ...changes }, admin)).total;
    expect(await find({ keyword: tradeNo.slice(0, -2) })).toBe(1);
    expect(await find({ keyword: `user${userId}` })).toBe(2);
    expect(await find({ keyword: String(userId), provider: "stripe" })).toBe(1);
    expect(await find({ keyword: String(userId), status: "paid" })).toBe(0);
    expect(await find({ keyword: `#${own.items[0]?.id ?? 0}` })).toBe(1);
    expect(await find({ keyword: String(userId), endSeconds: 1_700_000_000 })).toBe(0);
  });

  it("expires orders after a day without payment, and still credits those paid later", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    await at.world.collections.orders.updateOne({ tradeNo }, { $inc: { createdAt: -26 * 3_600 } });
    const fresh = await buy(userId);
    await at.world.billing.jobs.expireOrders();
    expect(await getOrder(tradeNo)).toMatchObject({ status: "expired" });
    expect(await getOrder(fresh.tradeNo)).toMatchObject({ status: "pending" });
    expect(await notify(epayNotice(tradeNo))).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(5_000_000);
  });
});

describe("paid order of an invited user", () => {
  it("credits the inviter a rebate, which a refund reverses, each once", async () => {
    const [userId, inviterId] = [newUser(), newUser()];
    at.world.inviters.set(userId, inviterId);
    await at.world.setOption("RebateEnabled", "true");
    await at.world.setOption("RebatePercentage", "3.3");
    const { tradeNo } = await buy(userId);
    const notice = epayNotice(tradeNo);
    await Promise.all(Array.from({ length: 20 }, () => notify(notice)));
    expect(await getCredits(inviterId)).toBe(165_000);
    const order = await getOrder(tradeNo);
    expect(order).toMatchObject({ status: "paid", rebateQuota: 165_000, inviterId });
    const request = { id: order._id, quota: 0, reason: "他要求退款" };
    const refunds = await Promise.allSettled(
      Array.from({ length: 20 }, () => at.world.payments.refundOrder(request, admin)),
    );
    expect(refunds.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await getCredits(userId)).toBe(0);
    expect(await getCredits(inviterId)).toBe(0);
    expect(await at.world.collections.ledger.find({ kind: "refund", userId }).toArray()).toMatchObject([
      { _id: `refund:${tradeNo}`, amount: -5_000_000 },
    ]);
    expect(await notify(notice)).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(0);
    await expect.poll(() => at.world.audits.map(({ action }) => action)).toContain("order.refund");
    await at.world.setOption("RebateEnabled", "false");
  });
});

describe("order refund", () => {
  it("may be partial, by an admin with a reason, for a paid order", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    const { _id: id } = await getOrder(tradeNo);
    const refund = (changes: object = {}, by = admin) =>
      at.world.payments.refundOrder({ id, quota: 2_000_000, reason: "half", ...changes }, by);
    await expect(refund()).rejects.toEqual(hasCode("order_not_refundable"));
    await notify(epayNotice(tradeNo));
    await expect(refund({}, actor(userId))).rejects.toEqual(hasCode("permission_denied"));
    await expect(refund({ reason: " " })).rejects.toEqual(hasCode("refund_reason_required"));
    await expect(refund({ quota: 5_000_001 })).rejects.toEqual(hasCode("refund_quota_invalid"));
    await expect(refund({ id: 999_999 })).rejects.toEqual(hasCode("order_not_found"));
    expect((await refund()).order).toMatchObject({
      status: "refunded",
      refundedQuota: 2_000_000,
      refundReason: "half",
    });
    expect(await getCredits(userId)).toBe(3_000_000);
    await expect(refund()).rejects.toEqual(hasCode("order_not_refundable"));
  });
});
