import { describe, expect, it } from "vitest";
import { stripeEvent } from "./scripted-stripe.ts";
import { actor } from "../billing-world.ts";
import { ACCEPTED, refusedFor, WEBHOOK_SECRET, usePayments } from "./payment-world.ts";

const at = usePayments();
const { buy, getCredits, getOrder, newUser, sendEvent } = at;

describe("Stripe order", () => {
  const begin = async (userId: number, changes: Parameters<typeof buy>[1] = {}) => {
    const { tradeNo, url, fields } = await buy(userId, { method: "stripe", ...changes });
    const { checkoutReference } = await getOrder(tradeNo);
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
    const call = at.stripe.calls.at(-1);
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
    const responses = await Promise.all(Array.from({ length: 50 }, () => sendEvent(event)));
    expect(responses).toEqual(responses.map(() => ACCEPTED));
    expect(await getCredits(userId)).toBe(5_000_000);
    expect(await getOrder(tradeNo)).toMatchObject({ status: "paid", providerReference: `pi_${tradeNo}` });
  });

  it("is paid whatever the order of its events", async () => {
    const userId = newUser();
    const { tradeNo, session } = await begin(userId);
    const send = (type: string, changes: object = {}) =>
      sendEvent(stripeEvent(type, { ...session, ...changes }, WEBHOOK_SECRET));
    expect(await send("checkout.session.completed", { payment_status: "unpaid" })).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(0);
    expect(await send("checkout.session.expired")).toEqual(ACCEPTED);
    expect(await getOrder(tradeNo)).toMatchObject({ status: "expired" });
    expect(await send("checkout.session.async_payment_succeeded")).toEqual(ACCEPTED);
    expect(await send("checkout.session.expired")).toEqual(ACCEPTED);
    expect(await send("checkout.session.async_payment_failed")).toEqual(ACCEPTED);
    expect(await send("checkout.session.completed")).toEqual(ACCEPTED);
    expect(await getOrder(tradeNo)).toMatchObject({ status: "paid" });
    expect(await getCredits(userId)).toBe(5_000_000);
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
    expect(await sendEvent(event)).toEqual(refusedFor(reason));
    expect(await getCredits(userId)).toBe(0);
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
    for (const event of forged) expect(await sendEvent(event)).toEqual(refusedFor("bad_signature"));
    at.world.secrets.set("StripeWebhookSecret", "");
    expect(await sendEvent(right)).toEqual(refusedFor("not_configured"));
    expect(await sendEvent(stripeEvent(type, session, " "))).toEqual(refusedFor("not_configured"));
    at.world.secrets.set("StripeWebhookSecret", WEBHOOK_SECRET);
    expect(await getCredits(userId)).toBe(0);
  });

  it("uses the configured Stripe price", async () => {
    const userId = newUser();
    await at.world.setOption("StripePriceId", "price_1");
    const { tradeNo, session } = await begin(userId);
    await at.world.setOption("StripePriceId", "");
    expect(Object.fromEntries(at.stripe.calls.at(-1)?.form ?? [])).toMatchObject({
      "line_items[0][price]": "price_1",
      "line_items[0][quantity]": "10",
    });
    expect(await getOrder(tradeNo)).toMatchObject({ moneyCents: 9_900, currency: "eur" });
    const paid = { ...session, amount_subtotal: 9_900, amount_total: 5_000, currency: "eur" };
    expect(await sendEvent(stripeEvent("checkout.session.completed", paid, WEBHOOK_SECRET))).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(5_000_000);
  });

  it("is stored as failed if Stripe refuses, without the key in the message", async () => {
    const userId = newUser();
    at.stripe.setFailing(true);
    const error: unknown = await buy(userId, { method: "stripe" }).catch((thrown: unknown) => thrown);
    at.stripe.setFailing(false);
    expect(error).toMatchObject({ code: "payment_provider_failed" });
    expect(String((error as Error).message)).not.toContain("sk_test");
    const { items } = await at.world.payments.listOrders(
      { userId, page: 1, pageSize: 10, keyword: "", status: "", provider: "", startSeconds: 0, endSeconds: 0 },
      actor(userId),
    );
    expect(items).toMatchObject([{ status: "failed", provider: "stripe" }]);
  });
});
