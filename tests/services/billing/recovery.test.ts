import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOpenCallRecovery } from "../../../services/billing/src/recovery/open-call-recovery.ts";
import { createLease } from "../../../services/billing/src/recovery/lease.ts";
import { createOpenCalls } from "../../../services/billing/src/recovery/open-calls.ts";
import { createBalanceCache } from "../../../services/billing/src/accounts/balance-cache.ts";
import { createAccountSweep } from "../../../services/billing/src/accounts/account-sweep.ts";
import { accountOf, type BillingWorld, log, startBillingWorld, tokenInput } from "./billing-world.ts";
import { createRelayDouble } from "./relay-double.ts";
import { usage } from "./usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
  // The service's own janitor is disabled in these tests: they have one with a controllable clock.
  await world.billing.scheduler.stop();
});
afterAll(() => world.stop());

let lastUser = 5_000;
async function user(credit = 10_000): Promise<number> {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit, kind: "gift", reason: "" });
  await world.accounts.loadAccount({ userId, tokenId: 0 });
  return userId;
}
const MINUTE = 60_000;
const noteAt = (seconds: number, tokenId = 0) =>
  JSON.stringify({
    u: "ann",
    i: tokenId,
    t: "laptop",
    m: "gpt-4o",
    c: 3,
    cn: "main",
    g: "vip",
    s: 1,
    p: 12,
    o: 30,
    q: 40,
    at: seconds,
  });
const nowSeconds = () => Math.floor(Date.now() / 1000);

function openCallRecovery(about: { redisUpSinceMs?: number; nowMs?: () => number } = {}) {
  const openCalls = createOpenCalls({ redis: world.redis, log });
  return createOpenCallRecovery({
    openCalls,
    barrier: () => world.drained(),
    publish: (records) => world.publish(records),
    redisUpSinceMs: () => about.redisUpSinceMs ?? 0,
    nowMs: about.nowMs ?? Date.now,
    log,
  });
}

describe("janitor", () => {
  it("posts the calls of a dead relay: settled ones at their cost, others at the cost of their prompt", async () => {
    const userId = await user();
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
    const tokenId = token?.id ?? 0;
    await world.accounts.loadAccount({ userId, tokenId });
    const relay = createRelayDouble(world.redis, "dead-1");
    const json = noteAt(nowSeconds() - 20, tokenId);
    await relay.hold({ id: "d1", userId, tokenId, amount: 500, json });
    await relay.hold({ id: "d2", userId, tokenId, amount: 300, json });
    await relay.settle({ id: "d2", userId, tokenId, amount: 77, json });
    await relay.beat(Date.now() - MINUTE);
    await openCallRecovery().recoverDead();
    await world.drained();
    expect(await accountOf(world, userId)).toMatchObject({ spent: 117, requestCount: 2 });
    expect(await relay.account(userId)).toMatchObject({ spent: 117, held: 0 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ spent: 117, held: 0 });
    expect(await relay.open(userId)).toEqual({});
    const rows = await world.collections.logs.find({ userId, type: 2 }).sort({ requestId: 1 }).toArray();
    expect(rows).toMatchObject([
      { requestId: "d1", quota: 40, content: "中继中断，按预留结算", promptTokens: 12, completionTokens: 0 },
      { requestId: "d2", quota: 77, completionTokens: 30 },
    ]);
    expect(rows.map(({ other }) => JSON.parse(other) as unknown)).toEqual([{ recovered: true }, { recovered: true }]);
    expect(await relay.isKnown()).toBe(true);
    await openCallRecovery().recoverDead();
    expect(await relay.isKnown()).toBe(false);
  });

  it("posts a call once if its record was in the stream after all", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "dead-2");
    const record = usage({ userId, quota: 70, content: "the relay's own" });
    await relay.hold({ id: record.requestId, userId, amount: 90, json: noteAt(nowSeconds()) });
    await relay.settle({ id: record.requestId, userId, amount: 70, json: noteAt(nowSeconds()) });
    await relay.beat(Date.now() - MINUTE);
    await world.publish([record]);
    await openCallRecovery().recoverDead();
    await world.publish([record]);
    await world.drained();
    expect(await accountOf(world, userId)).toMatchObject({ spent: 70, requestCount: 1 });
    expect(await world.collections.logs.findOne({ requestId: record.requestId })).toMatchObject({
      content: "the relay's own",
    });
  });

  it("ignores the calls of living relays", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "alive-1");
    await relay.hold({ id: "a1", userId, amount: 10, json: noteAt(nowSeconds() - 7_200) });
    await relay.beat(Date.now());
    await openCallRecovery().recoverDead();
    await openCallRecovery().recoverStale();
    expect(Object.keys(await relay.open(userId))).toEqual(["a1"]);
  });

  it("restarts the timeout of relays after a Redis outage", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "quiet-1");
    await relay.hold({ id: "q1", userId, amount: 10, json: noteAt(nowSeconds()) });
    await relay.beat(Date.now() - MINUTE);
    await openCallRecovery({ redisUpSinceMs: Date.now() - 5_000 }).recoverDead();
    expect(Object.keys(await relay.open(userId))).toEqual(["q1"]);
    await openCallRecovery({ redisUpSinceMs: Date.now() - 20_000 }).recoverDead();
    await world.drained();
    expect(await relay.open(userId)).toEqual({});
  });

  it("posts calls open for an hour of an unknown relay, and settled ones of any relay", async () => {
    const userId = await user();
    const unknown = createRelayDouble(world.redis, "unknown-1");
    const known = createRelayDouble(world.redis, "alive-2");
    await known.beat(Date.now());
    const old = noteAt(nowSeconds() - 4_000);
    await unknown.hold({ id: "u1", userId, amount: 50, json: old });
    await unknown.hold({ id: "u2", userId, amount: 50, json: noteAt(nowSeconds() - 100) });
    await known.hold({ id: "k1", userId, amount: 50, json: old });
    await known.settle({ id: "k2", userId, amount: 5, json: old });
    await openCallRecovery().recoverStale();
    await world.drained();
    expect(Object.keys(await known.open(userId)).toSorted()).toEqual(["k1", "u2"]);
    expect(await accountOf(world, userId)).toMatchObject({ spent: 45, requestCount: 2 });
  });

  it("posts a settled call of a living relay that was settled in the previous full scan", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "alive-3");
    await relay.beat(Date.now());
    await relay.settle({ id: "left", userId, amount: 5, json: noteAt(nowSeconds()) });
    await relay.hold({ id: "runs", userId, amount: 50, json: noteAt(nowSeconds()) });
    const thorough = openCallRecovery();
    await thorough.recoverStale();
    await relay.settle({ id: "new", userId, amount: 7, json: noteAt(nowSeconds()) });
    await thorough.recoverStale();
    await world.drained();
    expect(Object.keys(await relay.open(userId)).toSorted()).toEqual(["new", "runs"]);
    expect(await accountOf(world, userId)).toMatchObject({ spent: 5, requestCount: 1 });
  });

  it("handles more open calls than one scan returns", async () => {
    const relay = createRelayDouble(world.redis, "dead-3");
    const userIds = [];
    for (let index = 0; index < 30; index++) userIds.push(await user());
    await Promise.all(
      userIds.flatMap((userId) =>
        Array.from({ length: 50 }, (_, index) =>
          relay.hold({ id: `m-${userId}-${index}`, userId, amount: 50, json: noteAt(nowSeconds()) }),
        ),
      ),
    );
    await relay.beat(Date.now() - MINUTE);
    await openCallRecovery().recoverDead();
    await world.drained();
    for (const userId of userIds)
      expect(await accountOf(world, userId)).toMatchObject({ spent: 2_000, requestCount: 50 });
  });
});

describe("sweep", () => {
  it("writes to Redis what a dead process did not", async () => {
    const userId = await user(100);
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
    const tokenId = token?.id ?? 0;
    await world.accounts.loadAccount({ userId, tokenId });
    const { collections, redis } = world;
    // Commits of a process that dies before it updates Redis.
    const changedAtMs = Date.now();
    await collections.accounts.updateOne({ _id: userId }, { $inc: { credits: 50, rev: 1 }, $set: { changedAtMs } });
    await collections.tokens.updateOne({ _id: tokenId }, { $inc: { budget: 500, rev: 1 }, $set: { changedAtMs } });
    const balanceCache = createBalanceCache({ redis, collections, log });
    await createAccountSweep({ collections, balanceCache, nowMs: Date.now })();
    const relay = createRelayDouble(redis);
    expect(await relay.account(userId)).toMatchObject({ credits: 150 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ budget: 1_500 });
    await collections.accounts.updateOne({ _id: userId }, { $inc: { credits: -50 } });
  });

  it("keeps the same lookback until it succeeds", async () => {
    const userId = await user(100);
    const { collections, redis } = world;
    const balanceCache = createBalanceCache({ redis, collections, log });
    const failing = { post: () => Promise.reject(new Error("Redis is away")) };
    await createAccountSweep({ collections, balanceCache, nowMs: Date.now })();
    await collections.accounts.updateOne(
      { _id: userId },
      { $inc: { credits: 7, rev: 1 }, $set: { changedAtMs: Date.now() } },
    );
    const tenMinutesOn = () => Date.now() + 10 * MINUTE;
    await expect(createAccountSweep({ collections, balanceCache: failing, nowMs: tenMinutesOn })()).rejects.toThrow(
      "away",
    );
    await createAccountSweep({ collections, balanceCache, nowMs: tenMinutesOn })();
    expect(await createRelayDouble(redis).account(userId)).toMatchObject({ credits: 107 });
    await collections.accounts.updateOne({ _id: userId }, { $inc: { credits: -7 } });
  });
});

describe("transaction left open by a killed replica", () => {
  it("blocks posting for at most a few seconds", async () => {
    const userId = await user(100);
    const { connection, collections } = world;
    const session = await connection.startSession();
    session.startTransaction();
    await collections.accounts.updateOne({ _id: userId }, { $inc: { credits: 1 } }, { session });
    await world.publish([usage({ userId, quota: 3 })]);
    await world.drained(15_000);
    expect(await accountOf(world, userId)).toMatchObject({ credits: 100, spent: 3 });
    await session.endSession();
  }, 30_000);
});

describe("missing usage stream", () => {
  it("is recreated, awaited by concurrent callers, and used for posting again", async () => {
    const userId = await user(100);
    await world.manager.streams.delete(world.names.stream);
    // A concurrent call waits for it; longer than a single call waits, since only the server's silence shows that the
    // stream is missing.
    const load = () => world.accounts.loadAccount({ userId, tokenId: 0 }, { timeoutMs: 15_000 });
    await load().catch(load);
    expect(await world.manager.consumers.info(world.names.stream, world.names.consumer)).toMatchObject({});
    await world.publish([usage({ userId, quota: 3 })]);
    await world.drained();
    expect(await accountOf(world, userId)).toMatchObject({ spent: 3 });
  }, 40_000);
});

describe("lease", () => {
  it("is held by one replica at a time, and available to another after release", async () => {
    const make = () => createLease({ redis: world.redis, name: "test-lease", durationMs: 10_000 });
    const [first, second] = [make(), make()];
    expect(await first.hold()).toBe(true);
    expect(await second.hold()).toBe(false);
    expect(await first.hold()).toBe(true);
    await second.giveBack();
    expect(await second.hold()).toBe(false);
    await first.giveBack();
    expect(await second.hold()).toBe(true);
  });
});
