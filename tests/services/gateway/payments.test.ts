import { OrderPage, PaymentInfo } from "@turnpike/contract/api/payment";
import type { HandleNotifyRequest, Order } from "@turnpike/proto/billing/v1/payment_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

const ORDER: Order = {
  id: 3,
  tradeNo: "USR7NOabcdef1700000000",
  userId: 7,
  username: "ada",
  provider: "epay",
  method: "zfb",
  amount: 10,
  quota: 5_000_000,
  moneyCents: 7_300,
  currency: "cny",
  status: "paid",
  createdAtSeconds: 1,
  paidAtSeconds: 2,
  refundedAtSeconds: 0,
  refundedQuota: 0,
  refundReason: "",
  providerReference: "EP1",
  receipts: [{ reference: "EP0", moneyCents: 8_000, currency: "cny", receivedAtSeconds: 2 }],
  settleReason: "",
};

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld({ options: { PayAddress: "http://pay.example:8080/epay", EpayId: "1001" } });
});
afterAll(() => world.stop());
beforeEach(() => {
  const { payments } = world.fakes;
  payments.quotePayment = async () => ({ moneyCents: 7_305, currency: "cny", quota: 5_000_000 });
  payments.createOrder = async () => ({ tradeNo: "T1", url: "https://pay.example/submit.php", fields: { sign: "s" } });
  payments.listOrders = async () => ({ items: [ORDER], total: 1 });
  payments.settleOrder = async () => ({ order: { ...ORDER, settleReason: "checked" } });
  payments.queryOrder = async () => ({ order: ORDER, isPaid: true });
  payments.refundOrder = async () => ({ order: { ...ORDER, status: "refunded" } });
  payments.handleNotify = async () => ({ accepted: true, reason: "" });
});

describe("top-up", () => {
  it.each(["/api/user/amount", "/api/user/amount/"])("returns the price of an amount at %s", async (path) => {
    const response = await world.call("POST", path, { as: "ada", body: { amount: "10", top_up_code: "x" } });
    expect(response.body).toEqual({ success: true, message: "success", data: "73.05" });
    expect(world.last("quotePayment")?.request).toEqual({ userGroup: "default", amount: 10, method: "" });
  });

  it("returns the form to post, and passes on the caller's address", async () => {
    const body = { amount: 10, payment_method: "wx" };
    const response = await world.call("POST", "/api/user/pay", { as: "ada", body });
    expect(response.body).toEqual({
      success: true,
      message: "success",
      data: { sign: "s" },
      url: "https://pay.example/submit.php",
    });
    expect(world.last("createOrder")?.request).toEqual({
      userId: 7,
      username: "ada",
      userGroup: "default",
      amount: 10,
      method: "wx",
      origin: world.url,
      address: "127.0.0.1",
    });
  });

  it("returns the page to open for Stripe", async () => {
    const response = await world.call("POST", "/api/user/stripe/pay", { as: "ada", body: { amount: 10 } });
    expect(response.body.data).toEqual({ pay_link: "https://pay.example/submit.php" });
    expect(world.last("createOrder")?.request).toMatchObject({ method: "stripe" });
  });

  it("returns the reason of a refusal also in the field that compatible consoles read", async () => {
    world.fakes.payments.quotePayment = async () => {
      throw new AppError("payment_amount_too_small", "too small", { params: { min: "5" } });
    };
    const response = await world.call("POST", "/api/user/amount", { as: "ada", body: { amount: 1 } });
    const message = "The amount must not be less than 5";
    expect(response.body).toEqual({
      success: false,
      message,
      data: message,
      code: "payment_amount_too_small",
      params: { min: "5" },
    });
  });

  it("requires a session and a whole amount", async () => {
    expect((await world.call("POST", "/api/user/pay", { body: { amount: 1 } })).status).toBe(401);
    const response = await world.call("POST", "/api/user/pay", { as: "ada", body: { amount: 1.5 } });
    expect(response.body.code).toBe("invalid_input");
  });

  it("returns the payment methods, or that there are none", async () => {
    const method = { provider: "epay", method: "zfb", amountMin: 5, unitPrice: "7.3", currency: "cny" };
    world.fakes.payments.getPaymentInfo = async () => ({ methods: [method] });
    const some = await world.call("GET", "/api/user/topup/info", { as: "ada" });
    expect(PaymentInfo.parse(some.body.data)).toMatchObject({ enable_online_topup: true, min_topup: 5 });
    world.fakes.payments.getPaymentInfo = async () => ({ methods: [] });
    const none = await world.call("GET", "/api/user/topup/info", { as: "ada" });
    expect(PaymentInfo.parse(none.body.data)).toMatchObject({
      enable_online_topup: false,
      min_topup: 1,
      pay_methods: [],
    });
  });

  it("lets the browser post the form to the payment gateway", async () => {
    const { headers, body } = await world.call("GET", "/api/status");
    expect(headers.get("content-security-policy")).toContain("form-action 'self' https: http://pay.example:8080");
    expect(body.data.enable_online_topup).toBe(true);
  });
});

describe("orders", () => {
  it.each(["/api/order/self", "/api/order/self/", "/api/user/topup/self"])(
    "lists the caller's own orders at %s",
    async (path) => {
      const response = await world.call("GET", `${path}?user_id=99&p=2&status=paid`, { as: "ada" });
      expect(OrderPage.parse(response.body.data)).toMatchObject({ page: 2, total: 1, items: [{ money: "73.00" }] });
      expect(world.last("listOrders")?.request).toMatchObject({ userId: 7, page: 2, status: "paid" });
    },
  );

  it("lists all orders for admins, who may refund them", async () => {
    const query = "user_id=7&keyword=USR&provider=epay&start_timestamp=5&end_timestamp=9";
    const all = await world.call("GET", `/api/order/?${query}`, { as: "admin" });
    expect(() => OrderPage.parse(all.body.data)).not.toThrow();
    expect(world.last("listOrders")?.request).toMatchObject({
      userId: 7,
      keyword: "USR",
      provider: "epay",
      startSeconds: 5,
      endSeconds: 9,
    });
    const refund = await world.call("POST", "/api/order/3/refund", { as: "admin", body: { reason: "sorry" } });
    expect(refund.body.data).toMatchObject({ id: 3, status: "refunded" });
    expect(world.last("refundOrder")?.request).toEqual({ id: 3, quota: 0, reason: "sorry" });
  });

  it("shows what was paid for an order, and lets administrators credit it or query the provider", async () => {
    const { body } = await world.call("GET", "/api/order/", { as: "admin" });
    expect(OrderPage.parse(body.data).items[0]).toMatchObject({
      money: "73.00",
      receipts: [{ reference: "EP0", money: "80.00", currency: "cny", time: 2 }],
    });
    const decision = { quota: 5, reason: "checked", provider_reference: "EP0" };
    const settled = await world.call("POST", "/api/order/3/settle", { as: "admin", body: decision });
    expect(settled.body.data).toMatchObject({ id: 3, settle_reason: "checked" });
    expect(world.last("settleOrder")?.request).toEqual({
      id: 3,
      quota: 5,
      reason: "checked",
      providerReference: "EP0",
    });
    const queried = await world.call("POST", "/api/order/3/query", { as: "admin" });
    expect(queried.body.data).toMatchObject({ is_paid: true, order: { id: 3 } });
  });

  it("refuses to list, credit or refund orders for other users", async () => {
    for (const path of ["settle", "query"])
      expect((await world.call("POST", `/api/order/3/${path}`, { as: "ada", body: {} })).status).toBe(403);
    expect((await world.call("GET", "/api/order/", { as: "ada" })).status).toBe(403);
    expect((await world.call("POST", "/api/order/3/refund", { as: "ada", body: {} })).status).toBe(403);
  });
});

describe("Epay notification", () => {
  const path = "/api/user/epay/notify";

  it.each([
    ["a GET", () => world.call("GET", `${path}?pid=1&money=7.30&sign=ab%2Bc`)],
    ["a GET with a slash", () => world.call("GET", `${path}/?pid=1&money=7.30&sign=ab%2Bc`)],
    ["a POST form", () => world.call("POST", path, { body: "pid=1&money=7.30&sign=ab%2Bc" })],
  ])("reaches billing unchanged as %s, with a plain text response", async (_, send) => {
    const response = await send();
    expect([response.status, response.body]).toEqual([200, "success"]);
    expect(response.headers.get("content-type")).toContain("text/plain");
    const seen = world.lastRequest<HandleNotifyRequest>("handleNotify");
    expect(seen).toMatchObject({ provider: "epay", fields: { pid: "1", money: "7.30", sign: "ab+c" } });
  });

  it("returns fail if it is refused, repeats a field, or billing is down", async () => {
    world.fakes.payments.handleNotify = async () => ({ accepted: false, reason: "bad_signature" });
    expect((await world.call("GET", `${path}?pid=1`)).body).toBe("fail");
    world.fakes.payments.handleNotify = async () => ({ accepted: true, reason: "" });
    expect((await world.call("GET", `${path}?money=1&money=2`)).body).toBe("fail");
    world.fakes.payments.handleNotify = async () => {
      throw new AppError("unavailable", "away");
    };
    const unavailable = await world.call("GET", `${path}?pid=1`);
    expect([unavailable.status, unavailable.body]).toEqual([503, "fail"]);
  });
});

describe("Stripe webhook", () => {
  it.each(["/api/stripe/webhook", "/api/stripe/webhook/"])("forwards %s to billing byte for byte", async (path) => {
    const text = `{ "id":  "evt_1", "字": 1 }\n`;
    const headers = { "stripe-signature": "t=1,v1=ab", "content-type": "application/json" };
    const response = await world.call("POST", path, { body: text, headers });
    expect([response.status, response.body]).toEqual([200, { received: true, accepted: true, reason: "" }]);
    const seen = world.lastRequest<HandleNotifyRequest>("handleNotify");
    expect(seen).toMatchObject({ provider: "stripe", signature: "t=1,v1=ab" });
    expect(seen.body.toString()).toBe(text);
  });

  it.each([
    ["bad_signature", 400],
    ["not_configured", 400],
    // The order may be on its way to this replica.
    ["unknown_order", 404],
    ["wrong_amount", 200],
  ])("returns, for a refusal with %s, status %d", async (reason, status) => {
    world.fakes.payments.handleNotify = async () => ({ accepted: false, reason });
    const response = await world.call("POST", "/api/stripe/webhook", { body: "{}" });
    expect(response.status).toBe(status);
    expect(response.body.accepted ?? false).toBe(false);
  });
});
