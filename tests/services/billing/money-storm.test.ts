import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signEpay } from "../../../services/billing/src/payments/epay-signature.ts";
import { actor, admin, type BillingWorld, type Replica, startBillingWorld } from "./billing-world.ts";
import { usage } from "./usage-records.ts";

const KEY = "epay key of the tests";
const root = actor(1, 100);
const STEPS = 120;
const LANES = 12;
/** The machine may run other load; the test is about sums, not about speed. */
const patient = { timeoutMs: 60_000 };
const USERS = Array.from({ length: 8 }, (_, index) => 20_001 + index);

let world: BillingWorld;
let other: Replica;
beforeAll(async () => {
  const options = {
    ServerAddress: "https://turnpike.example",
    PayAddress: "https://pay.example",
    EpayId: "1",
    RebateEnabled: "true",
    RebatePercentage: "7.5",
  };
  world = await startBillingWorld({ options });
  world.secrets.set("EpayKey", KEY);
  // Each user was invited by the next one.
  USERS.forEach((userId, index) => world.inviters.set(userId, USERS[(index + 1) % USERS.length] ?? 0));
  other = await world.addReplica();
});
afterAll(() => world.stop());

/** Pseudorandom numbers, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function topUp(userId: number, amount: number, at: Pick<BillingWorld, "payments">, isRefunded: boolean) {
  const user = { userId, username: `user${userId}`, userGroup: "default" };
  const requested = { ...user, amount, method: "wx", origin: "", address: "" };
  const { tradeNo, fields } = await at.payments.createOrder(requested, patient);
  const notice: Record<string, string> = {
    pid: "1",
    out_trade_no: tradeNo,
    trade_no: `E${tradeNo}`,
    money: fields["money"] ?? "",
    trade_status: "TRADE_SUCCESS",
  };
  const signed = { ...notice, sign: signEpay(notice, KEY) };
  const request = { provider: "epay", fields: signed, body: Buffer.alloc(0), signature: "", address: "" };
  await Promise.all([1, 2, 3].map((round) => (round === 2 ? other : at).payments.handleNotify(request, patient)));
  const order = await world.collections.orders.findOne({ tradeNo });
  if (!isRefunded || !order) return;
  const refund = { id: order._id, quota: 1 + (order.quota % 977), reason: "storm" };
  await Promise.allSettled(
    [world, other].map(({ payments }) => payments.refundOrder(refund, { ...admin, ...patient })),
  );
}

describe("concurrent money movements of all kinds", () => {
  it("adds up exactly: balances, ledger, hours, log and Redis", async () => {
    const random = numbers(7);
    const { keys } = await world.redemptions.createRedemptions(
      { name: "storm", quota: 333, count: 20, key: "", isGift: true, maxUses: 5, validFrom: 0, validUntil: 0 },
      admin,
    );
    await Promise.all(USERS.map((userId) => world.accounts.loadAccount({ userId, tokenId: 0 }).catch(() => undefined)));
    const step = async (index: number): Promise<void> => {
      const at = index % 2 === 0 ? world : other;
      const userId = USERS[random(USERS.length)] ?? 0;
      const kind = random(6);
      const reference = `storm:${random(60)}:${userId}`;
      if (kind === 0) return topUp(userId, 1 + random(9), at, random(2) === 0);
      if (kind === 1) {
        const key = keys[random(keys.length)] ?? "";
        return void (await at.redemptions
          .redeem({ userId, username: "", key, address: "" }, patient)
          .catch(() => undefined));
      }
      if (kind === 2) {
        const request = { reference, userId, kind: "transfer", amount: 1 + random(500), reason: "" };
        return void (await at.credits.addCredit(request, patient));
      }
      if (kind === 3) {
        const request = { userId, username: "", quota: random(1_000_000), actionId: `storm-${index}` };
        return void (await at.accounts.setQuota(request, { ...admin, ...patient }).catch(() => undefined));
      }
      await world.publish(Array.from({ length: 20 }, () => usage({ userId, quota: random(90) })));
    };
    // Many at a time, but not so many that a slow machine misses their deadlines.
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let index = next++; index < STEPS; index = next++) await step(index);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await world.drained();
    await Promise.all(USERS.map((userId) => world.accounts.loadAccount({ userId, tokenId: 0 })));
    await world.ledger.startLedgerCheck({}, root);
    const state = async () => (await world.ledger.getLedgerCheck({}, root)).run?.state;
    await expect.poll(state, { timeout: 20_000 }).toBe("done");
    const { run } = await world.ledger.getLedgerCheck({}, root);
    expect(run?.lines.filter((line) => line.startsWith("MISMATCH"))).toEqual([]);
    expect(run).toMatchObject({ isClean: true });

    const { ledger, logs, orders, redemptions, redemptionUses } = world.collections;
    const paid = await orders.find({ status: { $in: ["paid", "refunded"] } }).toArray();
    expect(paid.length).toBeGreaterThan(5);
    expect(await ledger.countDocuments({ kind: "top_up" })).toBe(paid.length);
    const refunded = paid.filter(({ status }) => status === "refunded").length;
    expect(await ledger.countDocuments({ _id: /^refund:USR/ })).toBe(refunded);
    const uses = await redemptionUses.countDocuments({});
    expect(await ledger.countDocuments({ kind: "redemption" })).toBe(uses);
    expect(await logs.countDocuments({ type: 1 })).toBe(uses + paid.length);
    const codes = await redemptions.find({}).toArray();
    expect(codes.reduce((sum, { usedCount }) => sum + usedCount, 0)).toBe(uses);
    expect(Math.max(...codes.map(({ usedCount }) => usedCount))).toBeLessThanOrEqual(5);
  }, 90_000);
});
