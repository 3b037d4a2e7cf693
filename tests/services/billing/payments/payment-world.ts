import { afterAll, beforeAll, expect } from "vitest";
import { signEpay } from "../../../../services/billing/src/payments/epay-signature.ts";
import { actor, type BillingWorld, readAccount, startBillingWorld } from "../billing-world.ts";
import { startScriptedStripe } from "./scripted-stripe.ts";

/** The machine may run other load. */
const patient = { timeoutMs: 30_000 };
export const EPAY_KEY = "epay key of the tests";
export const WEBHOOK_SECRET = "whsec_of_the_tests";
const OPTIONS = {
  ServerAddress: "https://turnpike.example/",
  PayAddress: "https://pay.example/epay/",
  EpayId: "1001",
  TopupGroupRatio: `{"default":1,"vip":0.5}`,
};

/** A provider's notification that billing handled, and one that it refused. */
export const ACCEPTED = { accepted: true, reason: "" };
export const refusedFor = (reason: string) => ({ accepted: false, reason });
export const hasCode = (expected: string) => expect.objectContaining({ code: expected }) as unknown;

/** Epay's signed notification of a paid order, with changed fields. */
export function epayNotice(tradeNo: string, changes: Record<string, string> = {}, key = EPAY_KEY) {
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
}

type OrderForm = { amount: number; method: string; userGroup: string };
type Replica = Pick<BillingWorld, "payments">;
type Servers = { world: BillingWorld; stripe: Awaited<ReturnType<typeof startScriptedStripe>> };

/** What the tests of payments share: billing with Epay and a scripted Stripe, for the tests of one file. */
export function usePayments() {
  const at = {} as Servers;
  let lastUser = 8_000;
  beforeAll(async () => {
    at.stripe = await startScriptedStripe();
    at.world = await startBillingWorld({ options: OPTIONS, stripeApiUrl: at.stripe.url, allowlist: ["127.0.0.1/32"] });
    at.world.secrets.set("EpayKey", EPAY_KEY);
    at.world.secrets.set("StripeApiSecret", "sk_test_secret");
    at.world.secrets.set("StripeWebhookSecret", WEBHOOK_SECRET);
  });
  afterAll(async () => {
    await at.world?.stop();
    await at.stripe?.stop();
  });

  return Object.assign(at, {
    newUser: (): number => ++lastUser,
    buy: (userId: number, changes: Partial<OrderForm> = {}) =>
      at.world.payments.createOrder(
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
      ),
    getOrder: async (tradeNo: string) => {
      const order = await at.world.collections.orders.findOne({ tradeNo });
      if (!order) throw new Error("no such order");
      return order;
    },
    /** Delivers a notification of Epay to a replica. */
    notify: (fields: Record<string, string>, replica: Replica = at.world) =>
      replica.payments.handleNotify(
        { provider: "epay", fields, body: Buffer.alloc(0), signature: "", address: "" },
        patient,
      ),
    /** Delivers an event of Stripe to a replica. */
    sendEvent: (event: { body: Buffer; signature: string }, replica: Replica = at.world) =>
      replica.payments.handleNotify({ provider: "stripe", fields: {}, ...event, address: "" }, patient),
    getCredits: async (userId: number) => (await readAccount(at.world, userId))?.credits ?? 0,
  });
}
