import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKey, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { toWalHead, toWalLine } from "@turnpike/shared/accounts/write-ahead-log-format";
import { encodeEvent } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { ownIdentity } from "@turnpike/shared/lifecycle/process-identity";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OrderDoc } from "../../../../services/billing/src/store/payment-documents.ts";
import { runLedgerCheck } from "../billing-process.ts";
import { type BillingWorld, startBillingWorld, tokenInput } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";
import { usage } from "../usage-records.ts";

const USER = 70;
const CHANNEL = 3;
let world: BillingWorld;
let dataFolder = "";
let tokenId = 0;
let codeId = 0;

/** A consistent ledger with usage, a token with a running call, a paid order, a refunded one and a used code. */
beforeAll(async () => {
  world = await startBillingWorld();
  const { accounts, tokens, redemptions, credits, collections } = world;
  await accounts.openAccount({ userId: USER, credit: 1_000_000, kind: "gift", reason: "" });
  const { token } = await tokens.createToken({ userId: USER, userGroup: "default", input: tokenInput });
  tokenId = token?.id ?? 0;
  await accounts.loadAccount({ userId: USER, tokenId });
  await createRelayDouble(world.redis).hold({ id: "running", userId: USER, tokenId, amount: 20 });
  await world.redis.hset(openKey(USER), "running", `20|${tokenId}|relay|0|${now()}`);
  const yesterday = Math.floor(Date.now() / 1000) - 86_400;
  const calls = Array.from({ length: 30 }, (_, index) =>
    usage({ userId: USER, tokenId, channelId: CHANNEL, quota: 7, createdAtSeconds: yesterday + index * 3_600 }),
  );
  await world.publish(calls);
  await world.drained();
  const { keys } = await redemptions.createRedemptions(
    {
      name: "code",
      quota: 500,
      count: 1,
      key: "",
      isGift: true,
      maxUses: 5,
      validFrom: 0,
      validUntil: 0,
    } as Parameters<typeof redemptions.createRedemptions>[0],
    { actor: { userId: 1, username: "root", role: 100, address: "" } },
  );
  await redemptions.redeem({ userId: USER, username: "user70", key: keys[0] ?? "", address: "192.0.2.1" });
  codeId = (await collections.redemptions.findOne({}))?._id ?? 0;
  await collections.orders.insertMany([order(1, "paid", 900), order(2, "refunded", 800)]);
  for (const [tradeNo, amount] of [
    ["trade-1", 900],
    ["trade-2", 800],
  ] as const) {
    await credits.addCredit({ reference: `order:${tradeNo}`, userId: USER, kind: "gift", amount, reason: "" });
    await collections.ledger.updateOne({ _id: `order:${tradeNo}` }, { $set: { kind: "top_up" } });
  }
  await collections.accounts.updateOne({ _id: USER }, { $inc: { credits: -800, rev: 1 } });
  await collections.orders.updateOne({ tradeNo: "trade-1" }, { $set: { inviterId: USER, rebateQuota: 90 } });
  for (const [kind, reference] of [
    ["rebate", "rebate:order:trade-1"],
    ["rebate", `rebate:redemption:${codeId}:${USER}`],
    ["invitation", `invitation:${USER}`],
  ] as const)
    await credits.addCredit({ reference, userId: USER, kind, amount: 90, reason: "" });
  const refund = { userId: USER, kind: "refund", amount: -800, creditsAfter: 0, reason: "", createdAtMs: Date.now() };
  await collections.ledger.insertOne({ _id: "refund:trade-2", ...refund });
  await accounts.loadAccount({ userId: USER, tokenId });
}, 60_000);
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), "turnpike-check-"));
});
afterAll(() => world.stop());

const today = (): number => Math.floor(Date.now() / 86_400_000) * 86_400;

/** The details of an entry that was made now. */
const now = (): string => JSON.stringify({ at: Math.floor(Date.now() / 1000) });

const order = (id: number, status: string, quota: number): OrderDoc => ({
  _id: id,
  tradeNo: `trade-${id}`,
  userId: USER,
  username: "user70",
  provider: "epay",
  method: "alipay",
  amount: quota,
  quota,
  moneyCents: 100,
  currency: "cny",
  status,
  createdAt: 1,
  paidAt: 2,
  refundedAt: status === "refunded" ? 3 : 0,
  refundedQuota: status === "refunded" ? quota : 0,
  refundReason: "",
  inviterId: 0,
  inviterName: "",
  rebateQuota: 0,
  checkoutReference: "",
  providerReference: "",
});

/** Writes a relay's folder: lines of its spool, and entries of its write-ahead log. */
function leaveFiles(
  relay: string,
  { isDead }: { isDead: boolean },
  spooled: readonly UsageRecord[],
  settled: UsageRecord[],
) {
  const folder = join(dataFolder, "spool", relay);
  mkdirSync(folder, { recursive: true });
  const own = JSON.parse(ownIdentity()) as object;
  writeFileSync(join(folder, "pid"), isDead ? JSON.stringify({ ...own, startedAt: "1" }) : ownIdentity());
  const lines = spooled.map((record) => encodeEvent(usageRecorded, "relay", { records: [record] }));
  writeFileSync(join(folder, "0.ndjson"), lines.map((line) => `${line}\n`).join(""));
  const entries = settled.map(({ requestId, userId, quota: amount }) =>
    toWalLine({ requestId, userId, entry: { amount, tokenId: 0, relayId: relay, settled: true, json: "{}" } }),
  );
  writeFileSync(join(folder, "journal-0"), toWalHead(0) + entries.join(""));
}

/** Runs the check; returns the differences, without the fixed text before them. */
async function check(): Promise<{ mismatches: string[]; output: string }> {
  mkdirSync(join(dataFolder, "spool"), { recursive: true });
  const { output } = await runLedgerCheck(world, dataFolder);
  rmSync(dataFolder, { recursive: true });
  const mismatches = output.split("\n").flatMap((line) => (line.startsWith("MISMATCH ") ? [line.slice(9)] : []));
  return { mismatches, output };
}

it("agrees on a consistent ledger, and names what it compared and what it could not", async () => {
  const { output } = await check();
  expect(output).toContain("all figures agree");
  for (const text of [
    "orders: 2",
    "codes: 1",
    "rebates: 2",
    "invitation credits: 1",
    "day totals of users: ",
    "channel totals: 1",
    "tokens with day totals: 1",
  ])
    expect(output).toContain(text);
  expect(output).toContain("NOT COMPARED rebates of codes and invitation credits that are missing");
  expect(output).toContain("NOT COMPARED spools and write-ahead logs of relays on other machines");
}, 60_000);

/** Adds a credit to the user's ledger and balance; `undo` takes it out again. */
function addCredit(kind: string, reference: string) {
  const { ledger, accounts } = world.collections;
  const amount = 11;
  const entry = { _id: reference, userId: USER, kind, amount, creditsAfter: 0, reason: "", createdAtMs: Date.now() };
  const credit = (by: number) => accounts.updateOne({ _id: USER }, { $inc: { credits: by, rev: 1 } });
  return set(
    async () => {
      await ledger.insertOne(entry);
      await credit(amount);
    },
    async () => {
      await ledger.deleteOne({ _id: reference });
      await credit(-amount);
    },
  );
}

const set = (change: () => Promise<unknown>, undo: () => Promise<unknown>) => ({ change, undo });
it.each([
  [
    "holds of a token",
    () => {
      const by = (amount: number) => () => world.redis.hincrby(tokenKey(USER, tokenId), "held", amount);
      return set(by(5), by(-5));
    },
    () => [`token ${tokenId}: held 25 in Redis, but open calls hold 20`],
  ],
  [
    "the total of a channel",
    () => {
      const by = (quota: number) => () =>
        world.collections.channelTotals.updateOne({ _id: CHANNEL }, { $inc: { quota, requestCount: quota } });
      return set(by(9), by(-9));
    },
    () => [
      `the quota of channel ${CHANNEL} in all: 219, but should be 210`,
      `the calls of channel ${CHANNEL} in all: 39, but should be 30`,
    ],
  ],
  [
    "a day of a user",
    () => {
      const by = (quota: number) => () => world.collections.userDays.updateOne({ userId: USER }, { $inc: { quota } });
      return set(by(4), by(-4));
    },
    () => [expect.stringMatching(/^the quota of user 70 in the day totals: 214, but should be 210$/)],
  ],
  [
    "a day of a token",
    () => {
      const by = (quota: number) => () =>
        world.collections.tokenDays.updateOne({ _id: `${today()}:${tokenId}` }, { $inc: { quota } }, { upsert: true });
      return set(by(3), by(-3));
    },
    () => [`the quota of token ${tokenId} in the day totals: 213, but should be 210`],
  ],
  [
    "a day of a token that is missing",
    () => {
      const { tokenDays } = world.collections;
      const found = tokenDays.findOneAndDelete({ _id: `${today()}:${tokenId}` });
      return set(
        () => found,
        async () => {
          const row = await found;
          if (row) await tokenDays.insertOne(row);
        },
      );
    },
    () => [expect.stringMatching(new RegExp(`^the quota of token ${tokenId} in the day totals: .* should be 210$`))],
  ],
  [
    "a day of a channel",
    () => {
      const by = (count: number) => () =>
        world.collections.channelDays.updateOne({ channelId: CHANNEL, day: today() }, { $inc: { count } });
      return set(by(1), by(-1));
    },
    () => [expect.stringMatching(/^the calls of channel 3 in the day totals: /)],
  ],
  [
    "a margin",
    () => {
      const by = (quota: number) => () => world.collections.marginDays.updateOne({ day: today() }, { $inc: { quota } });
      return set(by(-1), by(1));
    },
    () => [expect.stringMatching(/^the quota of \d{4}-\d\d-\d\d in the margin totals/)],
  ],
  [
    "a paid order without its credit",
    () => {
      const entry = world.collections.ledger.findOne({ _id: "order:trade-1" });
      return set(
        () => world.collections.ledger.updateOne({ _id: "order:trade-1" }, { $set: { amount: 899 } }),
        async () =>
          world.collections.ledger.updateOne(
            { _id: "order:trade-1" },
            { $set: { amount: (await entry)?.amount ?? 0 } },
          ),
      );
    },
    () => ["order trade-1 is paid with 900, but the ledger has 899 for it"],
  ],
  [
    "a refund that differs from its order",
    () => {
      const to = (refundedQuota: number) => () =>
        world.collections.orders.updateOne({ tradeNo: "trade-2" }, { $set: { refundedQuota } });
      return set(to(700), to(800));
    },
    () => ["order trade-2 is refunded with -700, but the ledger has -800 for it"],
  ],
  [
    "a credit of an order that is not paid",
    () => {
      const to = (status: string) => () =>
        world.collections.orders.updateOne({ tradeNo: "trade-1" }, { $set: { status } });
      return set(to("pending"), to("paid"));
    },
    () => ["the ledger has order:trade-1, but no such order is paid"],
  ],
  [
    "the uses of a code",
    () => {
      const by = (usedCount: number) => () => world.collections.redemptions.updateOne({}, { $inc: { usedCount } });
      return set(by(2), by(-2));
    },
    () => [`code ${codeId} counts 3 uses, but 1 users used it`],
  ],
  [
    "a use without a credit",
    () => {
      const use = { _id: `${codeId}:71`, codeId, userId: 71, createdAt: 1 };
      return set(
        async () => {
          await world.collections.redemptionUses.insertOne(use);
          await world.collections.redemptions.updateOne({}, { $inc: { usedCount: 1 } });
        },
        async () => {
          await world.collections.redemptionUses.deleteOne({ _id: use._id });
          await world.collections.redemptions.updateOne({}, { $inc: { usedCount: -1 } });
        },
      );
    },
    () => [`the use ${codeId}:71 of a code has no ledger entry`],
  ],
  [
    "the rebate of an order",
    () => {
      const to = (rebateQuota: number) => () =>
        world.collections.orders.updateOne({ tradeNo: "trade-1" }, { $set: { rebateQuota } });
      return set(to(91), to(90));
    },
    () => [
      "order trade-1 gave its inviter 91, but the ledger has 90 for them",
      "the ledger has rebate:order:trade-1, but its order gave another rebate",
    ],
  ],
  [
    "a rebate without its cause",
    () => addCredit("rebate", "rebate:redemption:999:70"),
    () => ["the ledger has rebate:redemption:999:70, but no credit of which it is a share"],
  ],
  [
    "the credit of another user's invitation",
    () => addCredit("invitation", "invitation:71"),
    () => [`user ${USER} has the credit invitation:71 of another user`],
  ],
])(
  "finds a difference in %s",
  async (_, seed, expected) => {
    const { change, undo } = seed();
    await change();
    const { mismatches } = await check();
    await undo();
    for (const text of expected()) expect(mismatches).toContainEqual(text);
  },
  60_000,
);

it("finds a credit for a code that no user redeemed", async () => {
  const { collections } = world;
  const use = await collections.redemptionUses.findOneAndDelete({ codeId });
  const { mismatches } = await check();
  if (use) await collections.redemptionUses.insertOne(use);
  expect(mismatches).toContain(`the ledger has redemption:${codeId}:${USER}, but no such use of a code`);
}, 60_000);

it("finds calls that relays have on disk and that are posted otherwise, or not at all", async () => {
  const posted = await world.collections.logs.findOne({ type: 2 });
  const of = (requestId: string, quota: number) => usage({ requestId, userId: USER, quota });
  const wrong = of(posted?.requestId ?? "", 8);
  leaveFiles("dead", { isDead: true }, [of("spooled", 5), wrong], [of("settled", 6), of("held", 6)]);
  leaveFiles("alive", { isDead: false }, [of("waiting", 5)], []);
  await world.redis.hset(openKey(USER), "held", `6|0|dead|1|${now()}`);
  const { mismatches, output } = await check();
  await world.redis.hdel(openKey(USER), "held");
  expect(mismatches).toContain(`call ${posted?.requestId} is posted with 7, but the spool of relay dead has 8`);
  expect(mismatches).toContain(
    "call spooled in the spool of the dead relay dead is not posted, and Redis has no hold of it",
  );
  expect(mismatches).toContain(
    "call settled in the write-ahead log of the dead relay dead is not posted, and Redis has no hold of it",
  );
  expect(mismatches.join()).not.toMatch(/call (held|waiting) in/);
  expect(output).toContain("calls in spools and write-ahead logs: 5");
  expect(output).toContain("calls in spools and write-ahead logs that are not posted yet: 2");
}, 60_000);
