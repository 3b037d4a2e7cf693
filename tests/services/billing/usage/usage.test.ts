import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBalanceCache } from "../../../../services/billing/src/accounts/balance-cache.ts";
import { createUsagePoster } from "../../../../services/billing/src/usage/usage-posting.ts";
import { createDeadLetters } from "../../../../services/billing/src/usage/dead-letters.ts";
import { createUsageApplier } from "../../../../services/billing/src/usage/usage-applier.ts";
import { readAccount, actor, admin, type BillingWorld, startBillingWorld, tokenInput } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 1_000;
/** A user with an account of their own. */
async function user(credit = 0): Promise<number> {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit, kind: "gift", reason: "" });
  return userId;
}
const listRows = (userId: number) => world.collections.logs.find({ userId, type: 2 }).toArray();
const spentByRollups = async (userId: number): Promise<number> =>
  (await world.collections.rollups.find({ userId }).toArray()).reduce((sum, row) => sum + row.quota, 0);

describe("usage posting", () => {
  it("adds a record to the account, the token, the channel, the hours and the log", async () => {
    const userId = await user(10_000);
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
    const tokenId = token?.id ?? 0;
    const record = usage({ userId, tokenId, channelId: 41, quota: 120, promptTokens: 30, completionTokens: 12 });
    const { createdAtSeconds } = record;
    await world.publish([record, usage({ userId, tokenId, channelId: 41, quota: 80, createdAtSeconds })]);
    await world.drained();
    expect(await readAccount(world, userId)).toEqual({
      userId,
      credits: 10_000,
      spent: 200,
      requestCount: 2,
      lastCallAtSeconds: createdAtSeconds,
    });
    const stored = await world.tokens.getToken({ userId, id: tokenId });
    expect(stored.token).toMatchObject({ usedQuota: 200, remainQuota: 800, accessedTime: record.createdAtSeconds });
    const { totals } = await world.accounts.getChannelTotals({ channelIds: [41] });
    expect(totals).toEqual([{ channelId: 41, usedQuota: 200, requestCount: 2 }]);
    expect(await spentByRollups(userId)).toBe(200);
    const { items, total } = await world.logs.listLogs({
      filter: { ...anyLog, userId, requestId: record.requestId },
      page: 1,
      pageSize: 10,
    });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({ requestId: record.requestId, quota: 120, promptTokens: 30, completionTokens: 12 });
  });

  it("posts a record once, however often and in whatever batch it arrives", async () => {
    const userId = await user(1_000);
    const record = usage({ userId, quota: 100 });
    await world.publish([record, record]);
    await world.publish([record]);
    await world.drained();
    await world.publish([usage({ userId, quota: 10 }), record]);
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 110, requestCount: 2 });
    expect(await listRows(userId)).toHaveLength(2);
    expect(await spentByRollups(userId)).toBe(110);
  });

  it("creates the account of a user who has none yet", async () => {
    const userId = ++lastUser;
    const record = usage({ userId, quota: 5 });
    await world.publish([record]);
    await world.drained();
    expect(await readAccount(world, userId)).toEqual({
      userId,
      credits: 0,
      spent: 5,
      requestCount: 1,
      lastCallAtSeconds: record.createdAtSeconds,
    });
    await world.accounts.openAccount({ userId, credit: 50, kind: "gift", reason: "" });
    expect(await readAccount(world, userId)).toMatchObject({ credits: 50, spent: 5 });
  });

  it("charges nothing for errors, whatever cost they report", async () => {
    const userId = await user();
    await world.publish([usage({ userId, type: 6, quota: 999 })]);
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 0, requestCount: 0 });
    expect(await world.collections.logs.findOne({ userId, type: 6 })).toMatchObject({ quota: 0 });
  });

  it("dead-letters an unreadable record and posts the others of the batch", async () => {
    const userId = await user();
    const before = await world.collections.deadLetters.countDocuments();
    const good = usage({ userId, quota: 7 });
    const data = { records: [{ ...usage({ userId }), quota: -1 }, good, { ...usage({ userId }), requestId: "" }] };
    const envelope = { id: "x", type: "usage.calls.recorded.v1", source: "relay", time: "", data };
    await world.publishText(JSON.stringify(envelope));
    await world.publishText("not json");
    await world.publishText(`{"id":1}`);
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 7, requestCount: 1 });
    expect(await world.collections.deadLetters.countDocuments()).toBe(before + 4);
  });

  it("finds the one record that MongoDB refuses, and posts the other hundred", async () => {
    const userId = await user();
    const before = await world.collections.deadLetters.countDocuments();
    // A row above MongoDB's 16 MB, in a batch of valid ones.
    const tooBig = usage({ userId, quota: 1_000_000 });
    const others = Array.from({ length: 100 }, () => usage({ userId, quota: 3 }));
    const applied: string[] = [];
    const { connection, collections, redis, log } = world;
    const apply = createUsageApplier({
      poster: createUsagePoster({ connection, collections, isLogged: () => true, nowMs: Date.now }),
      balanceCache: createBalanceCache({ redis, collections, log }),
      tokenStatus: { settle: async () => undefined },
      deadLetters: createDeadLetters({ collections, log }),
      log,
    });
    const records = [...others.slice(0, 50), { ...tooBig, other: "x".repeat(17_000_000) }, ...others.slice(50)];
    await apply([
      {
        records,
        unreadable: [],
        isSigned: true,
        deliveries: 1,
        ack: () => void applied.push("ack"),
        retryAfter: () => void applied.push("again"),
        working: () => undefined,
      },
    ]);
    expect(applied).toEqual(["ack"]);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 300, requestCount: 100 });
    expect(await world.collections.deadLetters.countDocuments()).toBe(before + 1);
  });

  it("posts nothing of a record whose sums MongoDB refuses", async () => {
    const userId = await user();
    const { connection, collections } = world;
    const { post } = createUsagePoster({ connection, collections, isLogged: () => true, nowMs: Date.now });
    const record = usage({ userId, modelName: "a-model-with-a-broken-sum", quota: 7 });
    const hour = record.createdAtSeconds - (record.createdAtSeconds % 3_600);
    const broken = { _id: `${userId}:${hour}:${record.modelName}`, userId, hour, quota: "seven" };
    await collections.rollups.insertOne(broken as never);
    await expect(post([record])).rejects.toMatchObject({ code: 14 });
    expect(await listRows(userId)).toHaveLength(0);
    expect((await readAccount(world, userId))?.spent ?? 0).toBe(0);
    await collections.rollups.deleteOne({ _id: broken._id });
    expect(await post([record])).toHaveLength(1);
  });

  it("marks a token as exhausted once its budget is spent, and notifies the relays", async () => {
    const userId = await user();
    const input = { ...tokenInput, remainQuota: 150 };
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input });
    const tokenId = token?.id ?? 0;
    await world.publish([usage({ userId, tokenId, quota: 149 })]);
    await world.drained();
    expect((await world.tokens.getToken({ userId, id: tokenId })).token?.status).toBe(1);
    await world.publish([usage({ userId, tokenId, quota: 1 })]);
    await world.drained();
    expect((await world.tokens.getToken({ userId, id: tokenId })).token).toMatchObject({ status: 4, remainQuota: 0 });
  });

  it("keeps sums and deduplication while consumption is not logged", async () => {
    const quiet = await startBillingWorld({ options: { LogConsumeEnabled: "false" } });
    try {
      const record = usage({ userId: 1, quota: 9 });
      await quiet.publish([record]);
      await quiet.drained();
      await quiet.setOption("LogConsumeEnabled", "true");
      const shown = usage({ userId: 1, quota: 1 });
      await quiet.publish([record, shown]);
      await quiet.drained();
      await quiet.setOption("LogConsumeEnabled", "false");
      await quiet.publish([record, shown]);
      await quiet.drained();
      expect(await readAccount(quiet, 1)).toMatchObject({ spent: 10, requestCount: 2 });
      expect(await quiet.collections.logs.countDocuments({ userId: 1 })).toBe(1);
    } finally {
      await quiet.stop();
    }
  });

  it("posts a call once, also after its row was deleted", async () => {
    const userId = await user();
    const record = usage({ userId, quota: 9, createdAtSeconds: Math.floor(Date.now() / 1000) - 9 });
    await world.publish([record]);
    await world.drained();
    const beforeSeconds = record.createdAtSeconds + 1;
    await world.logs.deleteLogs({ beforeSeconds }, admin);
    expect(await listRows(userId)).toHaveLength(0);
    await world.publish([record]);
    await world.drained();
    expect(await readAccount(world, userId)).toMatchObject({ spent: 9, requestCount: 1 });
  });
});

describe("Redis after usage posting", () => {
  it("has spending in place of the hold", async () => {
    const userId = await user(1_000);
    const relay = createRelayDouble(world.redis);
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    const record = usage({ userId, quota: 70 });
    expect(await relay.hold({ id: record.requestId, userId, amount: 200 })).toEqual([
      "ok",
      800,
      200,
      -1,
      expect.any(Number),
    ]);
    await relay.settle({ id: record.requestId, userId, amount: 70 });
    expect(await relay.account(userId)).toMatchObject({ spent: 0, held: 70 });
    await world.publish([record]);
    await world.drained();
    expect(await relay.account(userId)).toMatchObject({ credits: 1_000, spent: 70, held: 0 });
    expect(await relay.open(userId)).toEqual({});
  });

  it("is updated by a redelivery after a crash between the commit and Redis", async () => {
    const userId = await user(1_000);
    const relay = createRelayDouble(world.redis);
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    const record = usage({ userId, quota: 70 });
    await relay.hold({ id: record.requestId, userId, amount: 70 });
    await relay.settle({ id: record.requestId, userId, amount: 70 });
    // The commit of a process that dies before it updates Redis and before it acknowledges.
    const { connection, collections } = world;
    await createUsagePoster({ connection, collections, isLogged: () => true, nowMs: Date.now }).post([record]);
    expect(await relay.account(userId)).toMatchObject({ spent: 0, held: 70 });
    await world.publish([record]);
    await world.drained();
    expect(await relay.account(userId)).toMatchObject({ spent: 70, held: 0 });
    expect(await readAccount(world, userId)).toMatchObject({ spent: 70, requestCount: 1 });
  });
});

describe("concurrent replicas", () => {
  it("posts concurrently delivered records exactly once", async () => {
    const other = await world.addReplica();
    const userIds = await Promise.all(Array.from({ length: 5 }, () => user()));
    const records = Array.from({ length: 1_500 }, (_, index) => usage({ userId: userIds[index % 5] ?? 0, quota: 2 }));
    const messages = Array.from({ length: 60 }, (_, index) => records.slice(index * 25, index * 25 + 25));
    await Promise.all([...messages, ...messages.toReversed()].map((message) => world.publish(message)));
    await world.drained();
    for (const userId of userIds) {
      expect(await readAccount(world, userId)).toMatchObject({ spent: 600, requestCount: 300 });
      expect(await spentByRollups(userId)).toBe(600);
      expect(await listRows(userId)).toHaveLength(300);
    }
    await other.stop();
  });

  it("posts a batch that both received once", async () => {
    const userId = await user();
    const { connection, collections } = world;
    const { post } = createUsagePoster({ connection, collections, isLogged: () => true, nowMs: Date.now });
    const records = Array.from({ length: 200 }, () => usage({ userId, quota: 1 }));
    const fresh = await Promise.all(Array.from({ length: 4 }, () => post(records)));
    expect(fresh.flat()).toHaveLength(200);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 200, requestCount: 200 });
  });
});

describe("access to usage", () => {
  it("restricts users to their own rows and balances", async () => {
    const ann = actor(++lastUser);
    const denied = expect.objectContaining({ code: "permission_denied" }) as unknown;
    const page = { page: 1, pageSize: 10 };
    await expect(world.logs.listLogs({ filter: anyLog, ...page }, ann)).rejects.toEqual(denied);
    await expect(world.logs.getLogStat({ filter: { ...anyLog, userId: 1 } }, ann)).rejects.toEqual(denied);
    await expect(world.accounts.getAccounts({ userIds: [ann.actor.userId, 1] }, ann)).rejects.toEqual(denied);
    await expect(world.accounts.listLedgerEntries({ userId: 1, ...page }, ann)).rejects.toEqual(denied);
    await expect(world.logs.deleteLogs({ beforeSeconds: 1 }, ann)).rejects.toEqual(denied);
    await expect(world.tokens.listTokens({ userId: 1, ...page, keyword: "", token: "" }, admin)).resolves.toBeDefined();
    await expect(world.tokens.listTokens({ userId: 1, ...page, keyword: "", token: "" }, ann)).rejects.toEqual(denied);
  });
});

const anyLog = {
  type: 0,
  userId: 0,
  username: "",
  tokenName: "",
  modelName: "",
  startSeconds: 0,
  endSeconds: 0,
  channel: 0,
  group: "",
  requestId: "",
  tokenId: 0,
  error: "",
  sessionId: "",
  responseId: "",
};

describe("id of a response", () => {
  it("finds the calls of its user, newest first, by an index of its own", async () => {
    const [owner, stranger] = [await user(), await user()];
    const responseId = "chatcmpl-found";
    const now = Math.floor(Date.now() / 1000);
    const calls = [
      { userId: owner, responseId, createdAtSeconds: now + 10 },
      { userId: owner, responseId, createdAtSeconds: now + 20 },
      { userId: owner, createdAtSeconds: now + 20 },
      { userId: stranger, responseId, createdAtSeconds: now + 20 },
    ].map((call) => usage(call));
    await world.publish(calls);
    await world.drained();
    const list = async (userId: number): Promise<string[]> => {
      const { items } = await world.logs.listLogs(
        { filter: { ...anyLog, userId, responseId }, page: 1, pageSize: 100 },
        admin,
      );
      return items.map(({ requestId }) => requestId);
    };
    expect(await list(owner)).toEqual([calls[1]?.requestId, calls[0]?.requestId]);
    expect(await list(stranger)).toEqual([calls[3]?.requestId]);
    expect(await list(await user())).toEqual([]);
    const query = { userId: owner, responseId, type: 2 };
    const plan = await world.collections.logs.find(query).sort({ createdAt: -1, _id: -1 }).explain();
    expect(JSON.stringify(plan)).toContain("find_by_response");
    expect(JSON.stringify(plan)).not.toContain('"SORT"');
  });

  it("is not stored above its largest length, and its call is posted", async () => {
    const userId = await user();
    await world.publish([
      usage({ userId, responseId: "x".repeat(257) }),
      usage({ userId, responseId: "x".repeat(256) }),
    ]);
    await world.drained();
    const lengths = (await listRows(userId)).map(({ responseId = "" }) => responseId.length);
    expect(new Set(lengths)).toEqual(new Set([0, 256]));
    expect(lengths).toHaveLength(2);
  });
});
