import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { orderMismatched } from "@turnpike/shared/events/billing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFindings } from "../../../../services/billing/src/reconciliation/findings.ts";
import { reconcileLedger } from "../../../../services/billing/src/reconciliation/ledger-reconciliation.ts";
import { actor, admin } from "../billing-world.ts";
import { ACCEPTED, EPAY_KEY, epayNotice, hasCode, refusedFor, usePayments } from "./payment-world.ts";

const at = usePayments();
const { buy, getCredits, getOrder, newUser, notify } = at;

const QUOTA = 5_000_000;
const OTHER_AMOUNT = { money: "80.00" };
const noticed: { tradeNo: string; expectedCents: number; receivedCents: number }[] = [];
beforeAll(() => at.world.bus.listen(orderMismatched, (event) => void noticed.push(event)));
beforeEach(() => void noticed.splice(0));
const order = async (userId = newUser()) => {
  const { tradeNo } = await buy(userId);
  return { userId, tradeNo, id: (await getOrder(tradeNo))._id };
};
const settle = (id: number, changes: object = {}, by = admin) =>
  at.world.payments.settleOrder({ id, quota: 0, reason: "checked", providerReference: "", ...changes }, by);
const refund = (id: number) => at.world.payments.refundOrder({ id, quota: 0, reason: "too much" }, admin);

describe("payment of another amount", () => {
  it("is stored with the order and reported once, however often it is notified", async () => {
    const { userId, tradeNo } = await order();
    const other = await at.world.addReplica();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        notify(epayNotice(tradeNo, OTHER_AMOUNT), index % 2 === 0 ? at.world : other),
      ),
    );
    expect(responses).toEqual(responses.map(() => refusedFor("wrong_amount")));
    expect(await getOrder(tradeNo)).toMatchObject({
      status: "mismatched",
      moneyCents: 7_300,
      receipts: [{ reference: `EP${tradeNo}`, moneyCents: 8_000, currency: "cny" }],
    });
    await expect.poll(() => noticed).toMatchObject([{ tradeNo, expectedCents: 7_300, receivedCents: 8_000 }]);
    expect(await getCredits(userId)).toBe(0);
    const { items } = await at.world.payments.listOrders(
      {
        userId,
        page: 1,
        pageSize: 10,
        keyword: "",
        status: "mismatched",
        provider: "",
        startSeconds: 0,
        endSeconds: 0,
      },
      actor(userId),
    );
    expect(items).toMatchObject([{ tradeNo, receipts: [{ moneyCents: 8_000, currency: "cny" }] }]);
  });

  it("is credited at its share by an administrator, once for concurrent decisions and later notifications", async () => {
    const { userId, tradeNo, id } = await order();
    await notify(epayNotice(tradeNo, OTHER_AMOUNT));
    await expect(settle(id, {}, actor(userId))).rejects.toEqual(hasCode("permission_denied"));
    await expect(settle(id, { reason: " " })).rejects.toEqual(hasCode("refund_reason_required"));
    await expect(settle(id, { quota: -1 })).rejects.toEqual(hasCode("settle_quota_invalid"));
    const decisions = await Promise.allSettled(Array.from({ length: 10 }, () => settle(id)));
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const quota = Math.floor((QUOTA * 80) / 73);
    expect(await getCredits(userId)).toBe(quota);
    expect(await getOrder(tradeNo)).toMatchObject({ status: "paid", quota, settleReason: "checked" });
    expect(await notify(epayNotice(tradeNo, OTHER_AMOUNT))).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(quota);
    await expect.poll(() => at.world.audits.map(({ action }) => action)).toContain("order.settle");
    await at.world.payments.refundOrder({ id, quota: 0, reason: "sorry" }, admin);
    expect(await getCredits(userId)).toBe(0);
  });

  it("is credited with what the administrator decides", async () => {
    const { userId, tradeNo, id } = await order();
    await notify(epayNotice(tradeNo, { money: "1.00" }));
    expect((await settle(id, { quota: QUOTA })).order).toMatchObject({ status: "paid", quota: QUOTA });
    expect(await getCredits(userId)).toBe(QUOTA);
  });

  it("can be returned instead, and is then neither credited nor returned again", async () => {
    const { userId, tradeNo, id } = await order();
    await notify(epayNotice(tradeNo, OTHER_AMOUNT));
    expect((await refund(id)).order).toMatchObject({
      status: "returned",
      refundReason: "too much",
      refundedQuota: 0,
    });
    await expect(refund(id)).rejects.toEqual(hasCode("order_not_refundable"));
    await expect(settle(id)).rejects.toEqual(hasCode("order_not_open"));
    expect(await notify(epayNotice(tradeNo, OTHER_AMOUNT))).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(0);
    expect(await at.world.collections.ledger.countDocuments({ userId })).toBe(0);
  });

  it("does not keep the right amount from being credited, before or after it", async () => {
    const first = await order();
    await notify(epayNotice(first.tradeNo, OTHER_AMOUNT));
    expect(await notify(epayNotice(first.tradeNo, { trade_no: "EP-right" }))).toEqual(ACCEPTED);
    expect(await getOrder(first.tradeNo)).toMatchObject({ status: "paid", quota: QUOTA, receipts: [{}] });
    const second = await order();
    await notify(epayNotice(second.tradeNo));
    expect(await notify(epayNotice(second.tradeNo, { ...OTHER_AMOUNT, trade_no: "EP-more" }))).toEqual(
      refusedFor("wrong_amount"),
    );
    expect(await getOrder(second.tradeNo)).toMatchObject({ status: "paid", receipts: [{ reference: "EP-more" }] });
    expect([await getCredits(first.userId), await getCredits(second.userId)]).toEqual([QUOTA, QUOTA]);
    await expect.poll(() => noticed.length).toBe(2);
  });
});

describe("second payment of a paid order", () => {
  it("is stored and reported, and not credited", async () => {
    const { userId, tradeNo } = await order();
    await notify(epayNotice(tradeNo));
    for (let count = 0; count < 3; count++)
      expect(await notify(epayNotice(tradeNo, { trade_no: "EP-again" }))).toEqual(ACCEPTED);
    expect(await getOrder(tradeNo)).toMatchObject({
      status: "paid",
      providerReference: `EP${tradeNo}`,
      receipts: [{ reference: "EP-again", moneyCents: 7_300 }],
    });
    expect(await getCredits(userId)).toBe(QUOTA);
    await expect.poll(() => noticed).toMatchObject([{ tradeNo, receivedCents: 7_300 }]);
  });
});

describe("lost notification", () => {
  it("is replaced by an administrator's decision; the notification that comes later credits nothing", async () => {
    const { userId, tradeNo, id } = await order();
    expect((await settle(id)).order).toMatchObject({ status: "paid", quota: QUOTA, settleReason: "checked" });
    await expect(settle(id)).rejects.toEqual(hasCode("order_not_open"));
    expect(await notify(epayNotice(tradeNo))).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(QUOTA);
    expect((await getOrder(tradeNo)).receipts).toBeUndefined();
  });

  describe("a query at Epay", () => {
    let epayResponse: unknown;
    const requests: URL[] = [];
    const gateway = createServer((request, response) => {
      requests.push(new URL(request.url ?? "/", "http://gateway"));
      response.setHeader("content-type", "application/json").end(JSON.stringify(epayResponse));
    });
    beforeAll(async () => {
      await new Promise<void>((done) => gateway.listen(0, "127.0.0.1", done));
      await at.world.setOption("PayAddress", `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/epay/`);
    });
    afterAll(async () => {
      await at.world.setOption("PayAddress", "https://pay.example/epay/");
      await new Promise<void>((done) => void gateway.close(() => done()));
    });
    const query = (id: number, by = admin) => at.world.payments.queryOrder({ id }, by);
    const paid = (tradeNo: string, changes: object = {}) => ({
      code: 1,
      msg: "ok",
      trade_no: "EP-requested",
      out_trade_no: tradeNo,
      pid: 1001,
      money: "73.00",
      status: "1",
      ...changes,
    });

    it("credits an order that it reports as paid, once", async () => {
      const { userId, tradeNo, id } = await order();
      epayResponse = paid(tradeNo);
      await expect(query(id, actor(userId))).rejects.toEqual(hasCode("permission_denied"));
      expect(await query(id)).toMatchObject({
        isPaid: true,
        order: { status: "paid", providerReference: "EP-requested" },
      });
      expect(requests.at(-1)?.pathname).toBe("/epay/api.php");
      expect(Object.fromEntries(requests.at(-1)?.searchParams ?? [])).toEqual({
        act: "order",
        pid: "1001",
        key: EPAY_KEY,
        out_trade_no: tradeNo,
      });
      await expect(query(id)).rejects.toEqual(hasCode("order_not_open"));
      expect(await getCredits(userId)).toBe(QUOTA);
    });

    it("stores another amount, and leaves an unpaid order open", async () => {
      const { userId, tradeNo, id } = await order();
      epayResponse = paid(tradeNo, { status: 0 });
      expect(await query(id)).toMatchObject({ isPaid: false, order: { status: "pending" } });
      epayResponse = paid(tradeNo, { money: "80" });
      expect(await query(id)).toMatchObject({ isPaid: true, order: { status: "mismatched" } });
      expect(await getCredits(userId)).toBe(0);
    });

    it.each<[string, (tradeNo: string) => unknown]>([
      ["does not know the order", () => ({ code: -1, msg: "no such order" })],
      ["is about another order", (tradeNo) => paid(tradeNo, { out_trade_no: "USR1NOabcdef1700000000" })],
      ["is for another merchant", (tradeNo) => paid(tradeNo, { pid: 1002 })],
      ["has no amount", (tradeNo) => paid(tradeNo, { money: "" })],
      ["has no content", () => "nothing"],
    ])("changes nothing by a response that %s, and does not show the key", async (_, make) => {
      const { tradeNo, id } = await order();
      epayResponse = make(tradeNo);
      const error = await query(id).catch((thrown: unknown) => thrown);
      expect(error).toEqual(hasCode("payment_query_failed"));
      expect(JSON.stringify(error)).not.toContain(EPAY_KEY);
      expect(await getOrder(tradeNo)).toMatchObject({ status: "pending" });
    });
  });

  describe("a query at Stripe", () => {
    const begin = async () => {
      const { tradeNo } = await buy(newUser(), { method: "stripe" });
      const { _id: id, checkoutReference } = await getOrder(tradeNo);
      const session = {
        id: checkoutReference,
        object: "checkout.session",
        client_reference_id: tradeNo,
        amount_subtotal: 8_000,
        currency: "usd",
        payment_intent: `pi_${tradeNo}`,
      };
      const report = (changes: object) => at.stripe.sessions.set(checkoutReference, { ...session, ...changes });
      return { id, tradeNo, report };
    };

    it("credits a paid session, keeps an open one and closes an expired one", async () => {
      const { id, report } = await begin();
      report({ payment_status: "unpaid", status: "open" });
      expect(await at.world.payments.queryOrder({ id }, admin)).toMatchObject({
        isPaid: false,
        order: { status: "pending" },
      });
      report({ payment_status: "paid", status: "complete" });
      expect(await at.world.payments.queryOrder({ id }, admin)).toMatchObject({
        isPaid: true,
        order: { status: "paid" },
      });
      const other = await begin();
      other.report({ payment_status: "unpaid", status: "expired" });
      expect(await at.world.payments.queryOrder({ id: other.id }, admin)).toMatchObject({
        isPaid: false,
        order: { status: "expired" },
      });
    });
  });
});

describe("ledger", () => {
  it("agrees with every order that was decided", async () => {
    const findings = createFindings();
    await reconcileLedger(at.world.connection, at.world.collections, findings);
    expect(findings.lines().filter((line) => line.startsWith("MISMATCH"))).toEqual([]);
  });
});
