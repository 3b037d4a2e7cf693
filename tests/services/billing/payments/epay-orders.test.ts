import { describe, expect, it } from "vitest";
import { signEpay } from "../../../../services/billing/src/payments/epay-signature.ts";
import { createRelayDouble } from "../relay-double.ts";
import { stripeEvent } from "./scripted-stripe.ts";
import { ACCEPTED, EPAY_KEY, epayNotice, refusedFor, WEBHOOK_SECRET, usePayments } from "./payment-world.ts";

const at = usePayments();
const { buy, getCredits, getOrder, newUser, notify, sendEvent } = at;

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
    expect(await getOrder(tradeNo)).toMatchObject({ status: "pending", quota: 5_000_000, moneyCents: 7_300 });
    expect(await getCredits(userId)).toBe(0);
  });

  it("is credited once for fifty concurrent notifications over two replicas", async () => {
    const userId = newUser();
    const other = await at.world.addReplica();
    await at.world.accounts.openAccount({ userId, credit: 7, kind: "gift", reason: "" });
    await at.world.accounts.loadAccount({ userId, tokenId: 0 });
    const { tradeNo } = await buy(userId);
    const notice = epayNotice(tradeNo);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => notify(notice, index % 2 === 0 ? at.world : other)),
    );
    expect(responses).toEqual(responses.map(() => ACCEPTED));
    expect(await notify(notice)).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(5_000_007);
    expect(await at.world.collections.ledger.find({ userId, kind: "top_up" }).toArray()).toMatchObject([
      { _id: `order:${tradeNo}`, amount: 5_000_000, creditsAfter: 5_000_007 },
    ]);
    expect(await at.world.collections.logs.find({ userId, type: 1 }).toArray()).toMatchObject([{ quota: 5_000_000 }]);
    expect(await getOrder(tradeNo)).toMatchObject({ status: "paid", providerReference: `EP${tradeNo}` });
    expect(await createRelayDouble(at.world.redis).account(userId)).toMatchObject({ credits: 5_000_007 });
  });

  it.each<[string, Record<string, string>, string]>([
    ["of another amount", { money: "0.01" }, "wrong_amount"],
    ["of more than the order", { money: "730.00" }, "wrong_amount"],
    ["of no amount", { money: "" }, "malformed"],
    ["of an unknown order", { out_trade_no: "USR1NOabcdef1700000000" }, "unknown_order"],
    ["of no order", { out_trade_no: "" }, "malformed"],
    ["to another merchant", { pid: "1002" }, "malformed"],
  ])("refuses a signed notification %s", async (_, changes, reason) => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    expect(await notify(epayNotice(tradeNo, changes))).toEqual(refusedFor(reason));
    expect(await getCredits(userId)).toBe(0);
    expect(await getOrder(tradeNo)).toMatchObject({ status: reason === "wrong_amount" ? "mismatched" : "pending" });
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
    at.world.secrets.delete("EpayKey");
    expect(await notify(right)).toEqual(refusedFor("not_configured"));
    expect(await notify(epayNotice(tradeNo, {}, ""))).toEqual(refusedFor("not_configured"));
    at.world.secrets.set("EpayKey", EPAY_KEY);
    expect(await getCredits(userId)).toBe(0);
  });

  it("stays open while notifications report it as unpaid, and is paid by one that reports payment", async () => {
    const userId = newUser();
    const { tradeNo } = await buy(userId);
    expect(await notify(epayNotice(tradeNo, { trade_status: "WAIT_BUYER_PAY" }))).toEqual(ACCEPTED);
    expect(await getOrder(tradeNo)).toMatchObject({ status: "pending" });
    expect(await notify(epayNotice(tradeNo, { money: "73" }))).toEqual(ACCEPTED);
    expect(await getCredits(userId)).toBe(5_000_000);
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
    expect(await sendEvent(event)).toEqual(refusedFor("unknown_order"));
  });
});
