import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signEpay } from "../../../services/billing/src/payments/epay-signature.ts";
import { accountOf, actor, admin, type BillingWorld, startBillingWorld } from "./billing-world.ts";
import { createRelayDouble } from "./relay-double.ts";
import { startScriptedStripe, stripeEvent } from "./scripted-stripe.ts";

/** The machine may run other load. */
const patient = { timeoutMs: 30_000 };
const EPAY_KEY = "epay key of the tests";
const WEBHOOK_SECRET = "whsec_of_the_tests";
const OPTIONS = {
  ServerAddress: "https://turnpike.example/",
  PayAddress: "https://pay.example/epay/",
  EpayId: "1001",
  TopupGroupRatio: `{"default":1,"vip":0.5}`,
};

let stripe: Awaited<ReturnType<typeof startScriptedStripe>>;
let world: BillingWorld;
beforeAll(async () => {
  stripe = await startScriptedStripe();
  world = await startBillingWorld({ options: OPTIONS, stripeApiUrl: stripe.url });
  world.secrets.set("EpayKey", EPAY_KEY);
  world.secrets.set("StripeApiSecret", "sk_test_secret");
  world.secrets.set("StripeWebhookSecret", WEBHOOK_SECRET);
});
afterAll(async () => {
  await world.stop();
  await stripe.stop();
});

let lastUser = 8_000;
const newUser = (): number => ++lastUser;
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const buy = (userId: number, changes: Partial<{ amount: number; method: string; userGroup: string }> = {}) =>
  world.payments.createOrder(
    {
      userId,
      username: `user${userId}`,
      userGroup: "default",
      amount: 10,
      method: "zfb",
      origin: "",
      address: "192.0.2.7",
      ...changes,
    },
    actor(userId),
  );
const orderOf = async (tradeNo: string) => {
  const order = await world.collections.orders.findOne({ tradeNo });
  if (!order) throw new Error("no such order");
  return order;
};
const epayNotice = (tradeNo: string, changes: Record<string, string> = {}, key = EPAY_KEY) => {
  const fields: Record<string, string> = {
    pid: "1001",
    trade_no: `EP${tradeNo}`,
    out_trade_no: tradeNo,
    type: "alipay",
    name: "TUC10",
    money: "73.00",
    trade_status: "TRADE_SUCCESS",
    ...changes,
  };
  return { ...fields, sign: signEpay(fields, key), sign_type: "MD5" };
};
const notify = (fields: Record<string, string>, at: Pick<BillingWorld, "payments"> = world) =>
  at.payments.handleNotify({ provider: "epay", fields, body: Buffer.alloc(0), signature: "", address: "" }, patient);
const webhook = (event: { body: Buffer; signature: string }, at: Pick<BillingWorld, "payments"> = world) =>
  at.payments.handleNotify({ provider: "stripe", fields: {}, ...event, address: "" }, patient);
const refusedFor = (reason: string) => ({ accepted: false, reason });
const ACCEPTED = { accepted: true, reason: "" };
const creditsOf = async (userId: number) => (await accountOf(world, userId))?.credits ?? 0;

describe("payment options", () => {
  it("returns the configured methods at the price of the user's group", async () => {
    const { methods } = await world.payments.getPaymentInfo({ userGroup: "vip" });
    expect(methods).toEqual([
      { provider: "epay", method: "zfb", amountMin: 1, unitPrice: "3.65", currency: "cny" },
      { provider: "epay", method: "wx", amountMin: 1, unitPrice: "3.65", currency: "cny" },
      { provider: "stripe", method: "stripe", amountMin: 1, unitPrice: "4", currency: "usd" },
    ]);
  });

  it("costs amount × price × ratio, in dollars or in quota units", async () => {
    const quote = (amount: number, userGroup = "default", method = "zfb") =>
      world.payments.quotePayment({ amount, userGroup, method });
    expect(await quote(3)).toEqual({ moneyCents: 2_190, currency: "cny", quota: 1_500_000 });
    expect(await quote(3, "vip")).toEqual({ moneyCents: 1_095, currency: "cny", quota: 1_500_000 });
    expect(await quote(3, "default", "stripe")).toEqual({ moneyCents: 2_400, currency: "usd", quota: 1_500_000 });
    await world.setOption("DisplayInCurrencyEnabled", "false");
    try {
      expect(await quote(500_001)).toEqual({ moneyCents: 730, currency: "cny", quota: 500_001 });
      await expect(quote(499_999)).rejects.toMatchObject({
        code: "payment_amount_too_small",
        params: { min: "500000" },
      });
    } finally {
      await world.setOption("DisplayInCurrencyEnabled", "true");
    }
  });

  it.each([
    [0, "payment_amount_too_small"],
    [-3, "payment_amount_too_small"],
    [200_000, "payment_amount_too_large"],
  ])("refuses an amount of %d", async (amount, expected) => {
    await expect(buy(newUser(), { amount })).rejects.toEqual(code(expected));
  });

  it("returns no method without keys", async () => {
    world.secrets.delete("EpayKey");
    world.secrets.delete("StripeApiSecret");
    try {
      expect(await world.payments.getPaymentInfo({ userGroup: "" })).toEqual({ methods: [] });
      await expect(buy(newUser())).rejects.toEqual(code("payment_not_configured"));
      await expect(buy(newUser(), { method: "stripe" })).rejects.toEqual(code("payment_not_configured"));
    } finally {
      world.secrets.set("EpayKey", EPAY_KEY);
      world.secrets.set("StripeApiSecret", "sk_test_secret");
    }
    await expect(buy(newUser(), { method: "gold" })).rejects.toEqual(code("payment_method_unknown"));
  });

  it("lets a user buy only for themselves", async () => {
    const request = { userId: 1, username: "", userGroup: "", amount: 1, method: "zfb", origin: "", address: "" };
    await expect(world.payments.createOrder(request, actor(newUser()))).rejects.toEqual(code("permission_denied"));
  });
});

describe("Epay order", () => {
  it("is a signed form for the merchant's gateway", async () => {
    const userId = newUser();
    const { tradeNo, url, fields } = await buy(userId);
    expect(url).toBe("https://pay.example/epay/submit.php");
    expect(tradeNo).toMatch(new RegExp(`^USR${userId}NO[A-Za-z0-9]{6}\\d{10}$`));
    const { sign, sign_type: type, ...rest } = fields;
    expect(rest).toEqual({
      pid: "1001",
      type: "alipay",
      out_trade_no: tradeNo,
      notify_url: "https://turnpike.example/api/user/epay/notify",
      return_url: "https://turnpike.example/app/wallet",
      name: "TUC10",
      money: "73.00",
      device: "pc",
    });
    expect({ sign, type }).toEqual({ sign: signEpay(rest, EPAY_KEY), type: "MD5" });
    expect(await orderOf(tradeNo)).toMatchObject({ status: "pending", quota: 5_000_000, moneyCents: 7_300 });
    expect(await creditsOf(userId)).toBe(0);
  });

  it("is credited once for fifty concurrent notifications over two replicas", async () => {
    const userId = newUser();
    const other = await world.addReplica();
    await world.accounts.openAccount({ userId, credit: 7, kind: "gift", reason: "" });
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    const { tradeNo } = await buy(userId);
    const notice = epayNotice(tradeNo);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => notify(notice, index % 2 === 0 ? world : other)),
    );
    expect(answers).toEqual(answers.map(() => ACCEPTED));
    expect(await notify(notice)).toEqual(ACCEPTED);
    expect(await creditsOf(userId)).toBe(5_000_007);
    expect(await world.collections.ledger.find({ userId, kind: "top_up" }).toArray()).toMatchObject([
      { _id: `order:${tradeNo}`, amount: 5_000_000, creditsAfter: 5_000_007 },
    ]);
    expect(await world.collections.logs.find({ userId, type: 1 }).toArray()).toMatchObject([{ quota: 5_000_000 }]);
    expect(await orderOf(tradeNo)).toMatchObject({ status: "paid", providerReference: `EP${tradeNo}` });
    expect(await createRelayDouble(world.redis).account(userId)).toMatchObject({ credits: 5_000_007 });
  });

  it.each<[string, Record<string, string>, string]>([
    ["of another amount", { money: "0.01" }, "wrong_amount"],
    ["of more than was asked for", { money: "730.00" }, "wrong_amount"],
    ["of no amount", { money: "" }, "malformed"],
    ["of an unknown order", { out_trade_no: "USR1NOabcdef1700000000" }, "unknown_order"],
    ["of no order", { out_trade_no: "" }, "malformed"],
    ["to another merchant", { pid: "1002" }, "malformed"],
  ])("refuses a signed notification %s", async (_, changes, reason) => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    expect(await notify(epayNotice(tradeNo, changes))).toEqual(refusedFor(reason));
    expect(await creditsOf(userId)).toBe(0);
    expect(await orderOf(tradeNo)).toMatchObject({ status: "pending" });
  });

  it("is not paid by forged notifications", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    const right = epayNotice(tradeNo);
    const forged = [
      epayNotice(tradeNo, {}, "another key"),
      epayNotice(tradeNo, {}, ""),
      { ...right, sign: "" },
      { ...right, money: "0.01" },
      { ...right, out_trade_no: "USR1NOabcdef1700000000" },
      { ...right, sign: right.sign.slice(0, -1) },
    ];
    for (const fields of forged) expect(await notify(fields)).toEqual(refusedFor("bad_signature"));
    world.secrets.delete("EpayKey");
    expect(await notify(right)).toEqual(refusedFor("not_configured"));
    expect(await notify(epayNotice(tradeNo, {}, ""))).toEqual(refusedFor("not_configured"));
    world.secrets.set("EpayKey", EPAY_KEY);
    expect(await creditsOf(userId)).toBe(0);
  });

  it("stays open while notifications report it as unpaid, and is paid by one that reports payment", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    expect(await notify(epayNotice(tradeNo, { trade_status: "WAIT_BUYER_PAY" }))).toEqual(ACCEPTED);
    expect(await orderOf(tradeNo)).toMatchObject({ status: "pending" });
    expect(await notify(epayNotice(tradeNo, { money: "73" }))).toEqual(ACCEPTED);
    expect(await creditsOf(userId)).toBe(5_000_000);
  });

  it("is not paid by a notification of another provider", async () => {
    const { tradeNo } = await buy(newUser());
    const session = {
      id: "",
      client_reference_id: tradeNo,
      amount_subtotal: 7_300,
      currency: "cny",
      payment_status: "paid",
    };
    const event = stripeEvent("checkout.session.completed", session, WEBHOOK_SECRET);
    expect(await webhook(event)).toEqual(refusedFor("unknown_order"));
  });
});

describe("Stripe order", () => {
  const begin = async (userId: number, changes: Parameters<typeof buy>[1] = {}) => {
    const { tradeNo, url, fields } = await buy(userId, { method: "stripe", ...changes });
    const { checkoutReference } = await orderOf(tradeNo);
    const session = {
      id: checkoutReference,
      object: "checkout.session",
      client_reference_id: tradeNo,
      amount_subtotal: 8_000,
      amount_total: 8_000,
      currency: "usd",
      payment_status: "paid",
      payment_intent: `pi_${tradeNo}`,
    };
    return { tradeNo, url, fields, session };
  };

  it("has its own Stripe session, opened with our key", async () => {
    const { tradeNo, url, fields } = await begin(newUser());
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.example\/cs_test_/);
    expect(fields).toEqual({});
    const call = stripe.calls.at(-1);
    expect(call).toMatchObject({ path: "/v1/checkout/sessions", key: "Bearer sk_test_secret", idempotency: tradeNo });
    expect(Object.fromEntries(call?.form ?? [])).toMatchObject({
      mode: "payment",
      client_reference_id: tradeNo,
      "line_items[0][price_data][unit_amount]": "8000",
      "line_items[0][price_data][currency]": "usd",
      success_url: "https://turnpike.example/app/wallet?payment=success",
    });
  });

  it("is credited once for fifty concurrent events", async () => {
    const userId = newUser();
    const { tradeNo, session } = await begin(userId);
    const event = stripeEvent("checkout.session.completed", session, WEBHOOK_SECRET);
    const answers = await Promise.all(Array.from({ length: 50 }, () => webhook(event)));
    expect(answers).toEqual(answers.map(() => ACCEPTED));
    expect(await creditsOf(userId)).toBe(5_000_000);
    expect(await orderOf(tradeNo)).toMatchObject({ status: "paid", providerReference: `pi_${tradeNo}` });
  });

  it("is paid whatever the order of its events", async () => {
    const userId = newUser();
    const { tradeNo, session } = await begin(userId);
    const send = (type: string, changes: object = {}) =>
      webhook(stripeEvent(type, { ...session, ...changes }, WEBHOOK_SECRET));
    expect(await send("checkout.session.completed", { payment_status: "unpaid" })).toEqual(ACCEPTED);
    expect(await creditsOf(userId)).toBe(0);
    expect(await send("checkout.session.expired")).toEqual(ACCEPTED);
    expect(await orderOf(tradeNo)).toMatchObject({ status: "expired" });
    expect(await send("checkout.session.async_payment_succeeded")).toEqual(ACCEPTED);
    expect(await send("checkout.session.expired")).toEqual(ACCEPTED);
    expect(await send("checkout.session.async_payment_failed")).toEqual(ACCEPTED);
    expect(await send("checkout.session.completed")).toEqual(ACCEPTED);
    expect(await orderOf(tradeNo)).toMatchObject({ status: "paid" });
    expect(await creditsOf(userId)).toBe(5_000_000);
  });

  it.each([
    ["of another amount", { amount_subtotal: 100 }, "wrong_amount"],
    ["in another currency", { currency: "inr" }, "wrong_amount"],
    ["of another session", { id: "cs_test_other" }, "unknown_order"],
    ["of an unknown order", { client_reference_id: "USR1NOabcdef1700000000" }, "unknown_order"],
    ["of no order", { client_reference_id: null }, "unknown_order"],
  ])("refuses a signed event %s", async (_, changes, reason) => {
    const userId = newUser();
    const { session } = await begin(userId);
    const event = stripeEvent("checkout.session.completed", { ...session, ...changes }, WEBHOOK_SECRET);
    expect(await webhook(event)).toEqual(refusedFor(reason));
    expect(await creditsOf(userId)).toBe(0);
  });

  it("is not paid by forged or old events, or without a secret", async () => {
    const userId = newUser();
    const { session } = await begin(userId);
    const type = "checkout.session.completed";
    const right = stripeEvent(type, session, WEBHOOK_SECRET);
    const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
    const forged = [
      stripeEvent(type, session, "whsec_other"),
      stripeEvent(type, session, WEBHOOK_SECRET, hourAgo),
      { ...right, signature: "" },
      { ...right, body: Buffer.from(right.body.toString().replace("8000", "9000")) },
    ];
    for (const event of forged) expect(await webhook(event)).toEqual(refusedFor("bad_signature"));
    world.secrets.set("StripeWebhookSecret", "");
    expect(await webhook(right)).toEqual(refusedFor("not_configured"));
    expect(await webhook(stripeEvent(type, session, " "))).toEqual(refusedFor("not_configured"));
    world.secrets.set("StripeWebhookSecret", WEBHOOK_SECRET);
    expect(await creditsOf(userId)).toBe(0);
  });

  it("uses the configured Stripe price", async () => {
    const userId = newUser();
    await world.setOption("StripePriceId", "price_1");
    const { tradeNo, session } = await begin(userId);
    await world.setOption("StripePriceId", "");
    expect(Object.fromEntries(stripe.calls.at(-1)?.form ?? [])).toMatchObject({
      "line_items[0][price]": "price_1",
      "line_items[0][quantity]": "10",
    });
    expect(await orderOf(tradeNo)).toMatchObject({ moneyCents: 9_900, currency: "eur" });
    const paid = { ...session, amount_subtotal: 9_900, amount_total: 5_000, currency: "eur" };
    expect(await webhook(stripeEvent("checkout.session.completed", paid, WEBHOOK_SECRET))).toEqual(ACCEPTED);
    expect(await creditsOf(userId)).toBe(5_000_000);
  });

  it("is stored as failed if Stripe refuses, without the key in the message", async () => {
    const userId = newUser();
    stripe.setFailing(true);
    const error: unknown = await buy(userId, { method: "stripe" }).catch((thrown: unknown) => thrown);
    stripe.setFailing(false);
    expect(error).toMatchObject({ code: "payment_provider_failed" });
    expect(String((error as Error).message)).not.toContain("sk_test");
    const { items } = await world.payments.listOrders(
      { userId, page: 1, pageSize: 10, keyword: "", status: "", provider: "", startSeconds: 0, endSeconds: 0 },
      actor(userId),
    );
    expect(items).toMatchObject([{ status: "failed", provider: "stripe" }]);
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
    const own = await world.payments.listOrders({ ...all, userId }, actor(userId));
    expect(own.items.map((order) => order.tradeNo)).toEqual([second.tradeNo, tradeNo]);
    await expect(world.payments.listOrders({ ...all, userId }, actor(stranger))).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(world.payments.listOrders(all, actor(stranger))).rejects.toEqual(code("permission_denied"));
    const find = async (changes: Partial<typeof all>) =>
      (await world.payments.listOrders({ ...all, ...changes }, admin)).total;
    expect(await find({ keyword: tradeNo.slice(0, -2) })).toBe(1);
    expect(await find({ keyword: `user${userId}` })).toBe(2);
    expect(await find({ keyword: String(userId), provider: "stripe" })).toBe(1);
    expect(await find({ keyword: String(userId), status: "paid" })).toBe(0);
    expect(await find({ keyword: String(userId), endSeconds: 1_700_000_000 })).toBe(0);
  });

  it("expires orders after a day without payment, and still credits those paid later", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    await world.collections.orders.updateOne({ tradeNo }, { $inc: { createdAt: -26 * 3_600 } });
    const fresh = await buy(userId);
    await world.billing.jobs.expireOrders();
    expect(await orderOf(tradeNo)).toMatchObject({ status: "expired" });
    expect(await orderOf(fresh.tradeNo)).toMatchObject({ status: "pending" });
    expect(await notify(epayNotice(tradeNo))).toEqual(ACCEPTED);
    expect(await creditsOf(userId)).toBe(5_000_000);
  });
});

describe("paid order of an invited user", () => {
  it("credits the inviter a rebate, which a refund reverses, each once", async () => {
    const [userId, inviterId] = [newUser(), newUser()];
    world.inviters.set(userId, inviterId);
    await world.setOption("RebateEnabled", "true");
    await world.setOption("RebatePercentage", "3.3");
    const { tradeNo } = await buy(userId);
    const notice = epayNotice(tradeNo);
    await Promise.all(Array.from({ length: 20 }, () => notify(notice)));
    expect(await creditsOf(inviterId)).toBe(165_000);
    const order = await orderOf(tradeNo);
    expect(order).toMatchObject({ status: "paid", rebateQuota: 165_000, inviterId });
    const request = { id: order._id, quota: 0, reason: "他要求退款" };
    const refunds = await Promise.allSettled(
      Array.from({ length: 20 }, () => world.payments.refundOrder(request, admin)),
    );
    expect(refunds.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await creditsOf(userId)).toBe(0);
    expect(await creditsOf(inviterId)).toBe(0);
    expect(await world.collections.ledger.find({ kind: "refund", userId }).toArray()).toMatchObject([
      { _id: `refund:${tradeNo}`, amount: -5_000_000 },
    ]);
    expect(await notify(notice)).toEqual(ACCEPTED);
    expect(await creditsOf(userId)).toBe(0);
    await expect.poll(() => world.audits.map(({ action }) => action)).toContain("order.refund");
    await world.setOption("RebateEnabled", "false");
  });
});

describe("order refund", () => {
  it("may be partial, by an admin with a reason, for a paid order", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    const { _id: id } = await orderOf(tradeNo);
    const refund = (changes: object = {}, by = admin) =>
      world.payments.refundOrder({ id, quota: 2_000_000, reason: "half", ...changes }, by);
    await expect(refund()).rejects.toEqual(code("order_not_refundable"));
    await notify(epayNotice(tradeNo));
    await expect(refund({}, actor(userId))).rejects.toEqual(code("permission_denied"));
    await expect(refund({ reason: " " })).rejects.toEqual(code("refund_reason_required"));
    await expect(refund({ quota: 5_000_001 })).rejects.toEqual(code("refund_quota_invalid"));
    await expect(refund({ id: 999_999 })).rejects.toEqual(code("order_not_found"));
    expect((await refund()).order).toMatchObject({
      status: "refunded",
      refundedQuota: 2_000_000,
      refundReason: "half",
    });
    expect(await creditsOf(userId)).toBe(3_000_000);
    await expect(refund()).rejects.toEqual(code("order_not_refundable"));
  });
});
