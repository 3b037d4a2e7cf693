import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { getMongoAppName } from "../../../../services/billing/src/recovery/orphan-transactions.ts";
import { createOpenCallRecovery } from "../../../../services/billing/src/recovery/open-call-recovery.ts";
import { accountKey, openKey, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { createLoadedBalanceRepair } from "../../../../services/billing/src/recovery/loaded-balances.ts";
import { createOpenCalls } from "../../../../services/billing/src/recovery/open-calls.ts";
import { createBalanceCache } from "../../../../services/billing/src/accounts/balance-cache.ts";
import { createAccountSweep } from "../../../../services/billing/src/accounts/account-sweep.ts";
import { readAccount, type BillingWorld, log, startBillingWorld, tokenInput } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";
import { usage } from "../usage-records.ts";

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

/** The five-minute round over all loaded balances. */
async function repair(): Promise<void> {
  const { redis, collections } = world;
  await createLoadedBalanceRepair({ redis, balanceCache: createBalanceCache({ redis, collections, log }), log })();
}

/** A janitor with its own clock; Redis responds to each of its checks. */
function openCallRecovery() {
  let nowMs = 0;
  const recovery = createOpenCallRecovery({
    openCalls: createOpenCalls({ redis: world.redis, log }),
    barrier: () => world.drained(),
    publish: (records) => world.publish(records),
    monotonicMs: () => nowMs,
    log,
  });
  const look = async (seconds: number): Promise<void> => {
    nowMs += seconds * 1_000;
    await recovery.recoverDead();
  };
  /** Looks every five seconds for fifteen. */
  const watch = async (): Promise<void> => {
    for (let time = 0; time < 4; time++) await look(5);
  };
  return { look, watch, recoverStale: recovery.recoverStale };
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
    const janitor = openCallRecovery();
    await janitor.watch();
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 117, requestCount: 2 });
    expect(await relay.account(userId)).toMatchObject({ spent: 117, held: 0 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ spent: 117, held: 0 });
    expect(await relay.open(userId)).toEqual({});
    const rows = await world.collections.logs.find({ userId, type: 2 }).sort({ requestId: 1 }).toArray();
    expect(rows).toMatchObject([
      { requestId: "d1", quota: 40, content: "中继中断，按预留结算", promptTokens: 12, completionTokens: 30 },
      { requestId: "d2", quota: 77, completionTokens: 30 },
    ]);
    expect(rows.map(({ other }) => JSON.parse(other) as unknown)).toEqual([{ recovered: true }, { recovered: true }]);
    expect(await relay.isKnown()).toBe(true);
    await janitor.look(5);
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
    await openCallRecovery().watch();
    await world.publish([record]);
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 70, requestCount: 1 });
    expect(await world.collections.logs.findOne({ requestId: record.requestId })).toMatchObject({
      content: "the relay's own",
    });
  });

  it("ignores the calls of living relays, whatever their clocks show", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "alive-1");
    await relay.hold({ id: "a1", userId, amount: 10, json: noteAt(nowSeconds() - 7_200) });
    const janitor = openCallRecovery();
    for (let time = 0; time < 6; time++) {
      await relay.beat(Date.now() - 2 * MINUTE + time);
      await janitor.look(5);
    }
    await janitor.recoverStale();
    expect(Object.keys(await relay.open(userId))).toEqual(["a1"]);
  });

  it("restarts the timeout of relays after an outage of Redis, in which they could not report", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "quiet-1");
    await relay.hold({ id: "q1", userId, amount: 10, json: noteAt(nowSeconds()) });
    await relay.beat(Date.now() - MINUTE);
    const janitor = openCallRecovery();
    await janitor.look(5);
    await janitor.look(20);
    await janitor.look(5);
    expect(Object.keys(await relay.open(userId))).toEqual(["q1"]);
    await janitor.look(5);
    await janitor.look(5);
    await world.drained();
    expect(await relay.open(userId)).toEqual({});
  });

  it("reports a claimed call as lost to the relay that releases it, so that it costs nothing", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "cut-off-1");
    await relay.hold({ id: "c1", userId, amount: 10, json: noteAt(nowSeconds()) });
    const openCalls = createOpenCalls({ redis: world.redis, log });
    const [claimed] = await openCalls.claim([
      { userId, requestId: "c1", entry: { amount: 0, tokenId: 0, relayId: "", settled: false, json: "" } },
    ]);
    expect(claimed?.entry).toMatchObject({ amount: 10, relayId: "cut-off-1", settled: false });
    expect((await relay.release({ id: "c1", userId })).slice(4)).toEqual(["c1"]);
    expect(await relay.open(userId)).toEqual({});
  });

  it("posts calls open for an hour of an unknown relay, and settled ones of any relay", async () => {
    const userId = await user();
    const unknown = createRelayDouble(world.redis, "unknown-1");
    const known = createRelayDouble(world.redis, "alive-2");
    const old = noteAt(nowSeconds() - 4_000);
    await unknown.hold({ id: "u1", userId, amount: 50, json: old });
    await unknown.hold({ id: "u2", userId, amount: 50, json: noteAt(nowSeconds() - 100) });
    await known.hold({ id: "k1", userId, amount: 50, json: old });
    await known.settle({ id: "k2", userId, amount: 5, json: old });
    const janitor = openCallRecovery();
    for (let time = 0; time < 4; time++) {
      await known.beat(Date.now() + time);
      await janitor.look(5);
    }
    await janitor.recoverStale();
    await world.drained();
    expect(Object.keys(await known.open(userId)).toSorted()).toEqual(["k1", "u2"]);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 45, requestCount: 2 });
  });

  it("posts a settled call of a living relay that was settled in the previous full scan", async () => {
    const userId = await user();
    const relay = createRelayDouble(world.redis, "alive-3");
    await relay.beat(Date.now());
    await relay.settle({ id: "left", userId, amount: 5, json: noteAt(nowSeconds()) });
    await relay.hold({ id: "runs", userId, amount: 50, json: noteAt(nowSeconds()) });
    const thorough = openCallRecovery();
    for (let time = 0; time < 4; time++) {
      await relay.beat(Date.now() + time);
      await thorough.look(5);
    }
    await thorough.recoverStale();
    await relay.settle({ id: "new", userId, amount: 7, json: noteAt(nowSeconds()) });
    await thorough.recoverStale();
    await world.drained();
    expect(Object.keys(await relay.open(userId)).toSorted()).toEqual(["new", "runs"]);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 5, requestCount: 1 });
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
    await openCallRecovery().watch();
    await world.drained();
    for (const userId of userIds)
      expect(await readAccount(world, userId)).toMatchObject({ spent: 2_000, requestCount: 50 });
  });
});

describe("sum of holds", () => {
  it("is rebuilt from the entries, for accounts and for tokens", async () => {
    const userId = await user();
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
    const tokenId = token?.id ?? 0;
    await world.accounts.loadAccount({ userId, tokenId });
    const relay = createRelayDouble(world.redis);
    await relay.hold({ id: "held", userId, tokenId, amount: 30 });
    await world.redis.hincrby(accountKey(userId), "held", 500);
    await world.redis.hincrby(tokenKey(userId, tokenId), "held", -7);
    await repair();
    expect(await relay.account(userId)).toMatchObject({ held: 30 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ held: 30 });
  });

  it("is that of MongoDB again, like all figures, after Redis has lost its newest second", async () => {
    const userId = await user(1_000);
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
    const tokenId = token?.id ?? 0;
    await world.accounts.loadAccount({ userId, tokenId });
    const relay = createRelayDouble(world.redis);
    await relay.hold({ id: `lost-${userId}`, userId, tokenId, amount: 30 });
    const keys = [accountKey(userId), openKey(userId), tokenKey(userId, tokenId)];
    const older = await Promise.all(keys.map((key) => world.redis.dumpBuffer(key)));
    await world.publish([usage({ requestId: `lost-${userId}`, userId, tokenId, quota: 40 })]);
    await world.drained();
    await world.credits.addCredit({ userId, amount: 500, kind: "gift", reference: `lost:${userId}`, reason: "" });
    expect(await relay.account(userId)).toMatchObject({ credits: 1_500, spent: 40, held: 0 });
    for (const [index, key] of keys.entries()) await world.redis.restore(key, 0, older[index] as Buffer, "REPLACE");
    expect(await relay.account(userId)).toMatchObject({ credits: 1_000, spent: 0, held: 30 });
    await repair();
    expect(await relay.account(userId)).toMatchObject({ credits: 1_500, spent: 40 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ spent: 40 });
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
    const failing = { post: () => Promise.reject(new Error("Redis is down")) };
    await createAccountSweep({ collections, balanceCache, nowMs: Date.now })();
    await collections.accounts.updateOne(
      { _id: userId },
      { $inc: { credits: 7, rev: 1 }, $set: { changedAtMs: Date.now() } },
    );
    const tenMinutesOn = () => Date.now() + 10 * MINUTE;
    await expect(createAccountSweep({ collections, balanceCache: failing, nowMs: tenMinutesOn })()).rejects.toThrow(
      "Redis is down",
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
    expect(await readAccount(world, userId)).toMatchObject({ credits: 100, spent: 3 });
    await session.endSession();
  }, 30_000);

  it("is kept if it is of another install on the same server", async () => {
    const { mongodbUrl } = world.backing;
    const otherUrl = mongodbUrl.replace(/\/([^/?]+)(\?|$)/, "/$1_other$2");
    const other = await connectMongo(otherUrl, { appName: getMongoAppName(otherUrl) });
    const rows = other.collection("rows");
    await rows.insertOne({ value: 0 });
    const session = await other.startSession();
    session.startTransaction();
    await rows.updateOne({}, { $inc: { value: 1 } }, { session });
    // Longer than a transaction of the own install may be idle.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await session.commitTransaction();
    expect(await rows.findOne({})).toMatchObject({ value: 1 });
    await session.endSession();
    await other.dropDatabase();
    await other.close();
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
    expect(await readAccount(world, userId)).toMatchObject({ spent: 3 });
  }, 40_000);
});
