import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { createBalanceOrderRepair } from "../../../services/billing/src/accounts/balance-order.ts";
import { createUsagePoster } from "../../../services/billing/src/usage/usage-posting.ts";
import { isMongoUnavailable } from "@turnpike/shared/mongo/mongo";
import { createCollections } from "../../../services/billing/src/store/collections.ts";
import { readAccount, actor, admin, type BillingWorld, startBillingWorld, tokenInput } from "./billing-world.ts";
import { createRelayDouble } from "./relay-double.ts";
import { usage } from "./usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 2_000;
async function user(credit = 0): Promise<number> {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit, kind: "gift", reason: "" });
  return userId;
}
const getLedger = async (userId: number) =>
  (await world.accounts.listLedgerEntries({ userId, page: 1, pageSize: 100 })).items;
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;

describe("account opening", () => {
  it("gives the first credit once, with a ledger entry and a log row", async () => {
    const userId = ++lastUser;
    const request = { userId, credit: 500, kind: "gift", reason: "新用户注册赠送" };
    await Promise.all([1, 2, 3, 4].map(() => world.accounts.openAccount(request)));
    expect(await readAccount(world, userId)).toEqual({ userId, credits: 500, spent: 0, requestCount: 0 });
    expect(await getLedger(userId)).toMatchObject([
      { id: `gift:open:${userId}`, kind: "gift", amount: 500, creditsAfter: 500 },
    ]);
    const rows = await world.collections.logs.find({ userId }).toArray();
    expect(rows).toMatchObject([{ type: 4, quota: 500, username: `user${userId}` }]);
  });

  it("creates an empty account without an entry", async () => {
    const userId = await user();
    expect(await readAccount(world, userId)).toMatchObject({ credits: 0 });
    expect(await getLedger(userId)).toEqual([]);
  });

  it("refuses invalid amounts", async () => {
    const request = { userId: 1, credit: -5, kind: "gift", reason: "" };
    await expect(world.accounts.openAccount(request)).rejects.toEqual(code("invalid_input"));
    await expect(world.accounts.openAccount({ ...request, credit: 1, kind: "theft" })).rejects.toEqual(
      code("invalid_input"),
    );
  });
});

describe("account list in the order of a figure", () => {
  it("is sorted by balance, spend and last call, among all or some users", async () => {
    const [rich, busy, idle] = [await user(9_000), await user(5_000), await user(7_000)];
    await world.publish([usage({ userId: busy, quota: 400 }), usage({ userId: rich, quota: 100 })]);
    await world.drained();
    const userIds = [rich, busy, idle];
    const rank = async (sort: string, page = 1, pageSize = 10) =>
      (await world.accounts.rankAccounts({ sort, page, pageSize, userIds }, admin)).accounts.map(
        ({ userId }) => userId,
      );
    expect(await rank("balance")).toEqual([rich, idle, busy]);
    expect(await rank("balance", 2, 2)).toEqual([busy]);
    expect(await rank("spent")).toEqual([busy, rich, idle]);
    expect((await rank("last_call")).at(-1)).toBe(idle);
    await expect(rank("name")).rejects.toEqual(code("invalid_input"));
    const all = await world.accounts.rankAccounts({ sort: "spent", page: 1, pageSize: 1, userIds: [] }, admin);
    expect(all.total).toBeGreaterThanOrEqual(3);
  });

  it("corrects the order of accounts that an earlier version wrote", async () => {
    const userId = await user(50);
    await world.collections.accounts.updateOne({ _id: userId }, { $unset: { balance: "" } });
    await createBalanceOrderRepair(world.collections)();
    expect(await world.collections.accounts.findOne({ _id: userId })).toMatchObject({ credits: 50, balance: 50 });
  });
});

describe("balance set by an admin", () => {
  it("becomes one ledger entry and one log row, whatever was spent", async () => {
    const userId = await user(1_000);
    await world.publish([usage({ userId, quota: 300 })]);
    await world.drained();
    const request = { userId, username: "ann", quota: 5_000, actionId: `set-${userId}` };
    const first = await world.accounts.setQuota(request, admin);
    expect(first).toMatchObject({ change: 4_300, account: { credits: 5_300, spent: 300 } });
    const again = await world.accounts.setQuota(request, admin);
    expect(again).toMatchObject({ change: 4_300, account: { credits: 5_300, spent: 300 } });
    expect(await getLedger(userId)).toMatchObject([
      { kind: "admin", amount: 4_300 },
      { kind: "gift", amount: 1_000 },
    ]);
    expect(await world.collections.logs.find({ userId, type: 3 }).toArray()).toHaveLength(1);
    await expect
      .poll(() => world.audits)
      .toContainEqual(
        expect.objectContaining({ action: "user.quota", target: `user:${userId}`, before: `{"quota":700}` }) as unknown,
      );
  });

  it("changes by an amount whatever is spent meanwhile, with a note that the user reads", async () => {
    const userId = await user(1_000);
    await world.publish([usage({ userId, quota: 300 })]);
    await world.drained();
    const request = {
      userId,
      username: "ann",
      quota: 0,
      change: 500,
      note: "for the trial",
      actionId: `add-${userId}`,
    };
    const changed = { change: 500, account: { credits: 1_500, spent: 300 } };
    expect(await world.accounts.setQuota(request, admin)).toMatchObject(changed);
    expect(await world.accounts.setQuota(request, admin)).toMatchObject(changed);
    const reason = expect.stringMatching(/^管理员增加额度 .*，备注：for the trial$/) as string;
    expect((await getLedger(userId))[0]).toMatchObject({ amount: 500, reason });
    const deduct = { ...request, change: -1_201, actionId: `sub-${userId}` };
    await expect(world.accounts.setQuota(deduct, admin)).rejects.toEqual(code("invalid_input"));
    expect(await world.accounts.setQuota({ ...deduct, change: -1_200 }, admin)).toMatchObject({ change: -1_200 });
    const debt = { ...request, change: -50, actionId: `debt-${userId}` };
    await expect(world.accounts.setQuota(debt, admin)).rejects.toEqual(code("invalid_input"));
    expect(await world.accounts.setQuota({ ...debt, allowNegative: true }, admin)).toMatchObject({ change: -50 });
  });

  it("requires an admin, an account and a whole amount", async () => {
    const userId = await user();
    const request = { userId, username: "ann", quota: 1, actionId: "x" };
    await expect(world.accounts.setQuota(request, actor(userId))).rejects.toEqual(code("permission_denied"));
    await expect(world.accounts.setQuota(request)).rejects.toEqual(code("unauthenticated"));
    await expect(world.accounts.setQuota({ ...request, quota: -1 }, admin)).rejects.toEqual(code("invalid_input"));
    await expect(world.accounts.setQuota({ ...request, actionId: "" }, admin)).rejects.toEqual(code("invalid_input"));
    const unknownUser = { ...request, userId: 999_999 };
    await expect(world.accounts.setQuota(unknownUser, admin)).rejects.toEqual(code("account_not_found"));
  });

  it("is exact while usage of the same account is posted", async () => {
    const userId = await user(1_000);
    const publishing = Promise.all(
      Array.from({ length: 40 }, () => world.publish(Array.from({ length: 5 }, () => usage({ userId, quota: 1 })))),
    );
    for (let round = 0; round < 10; round++) {
      const request = { userId, username: "ann", quota: 10_000 + round, actionId: `load-${userId}-${round}` };
      const { account } = await world.accounts.setQuota(request, admin);
      expect(account?.spent).toBeLessThanOrEqual(200);
    }
    await publishing;
    await world.drained();
    const account = await readAccount(world, userId);
    expect(account).toMatchObject({ spent: 200, requestCount: 200 });
    const credits = (await getLedger(userId)).reduce((sum, entry) => sum + entry.amount, 0);
    expect(account?.credits).toBe(credits);
  });

  it("is in Redis when the response is sent, if the account is loaded", async () => {
    const userId = await user(100);
    const relay = createRelayDouble(world.redis);
    await world.accounts.setQuota({ userId, username: "ann", quota: 200, actionId: `a-${userId}` }, admin);
    expect(await relay.account(userId)).toEqual({});
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    await world.accounts.setQuota({ userId, username: "ann", quota: 50, actionId: `b-${userId}` }, admin);
    expect(await relay.account(userId)).toMatchObject({ credits: 50 });
  });
});

describe("account loading", () => {
  it("waits for the records in the stream after Redis was emptied", async () => {
    const userId = await user(10_000);
    const relay = createRelayDouble(world.redis);
    const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
    const tokenId = token?.id ?? 0;
    await world.accounts.loadAccount({ userId, tokenId });
    const records = Array.from({ length: 600 }, () => usage({ userId, tokenId, quota: 1 }));
    const messages = Array.from({ length: 60 }, (_, index) => records.slice(index * 10, index * 10 + 10));
    await Promise.all(messages.map((message) => world.publish(message)));
    for (const key of await world.redis.keys(`${world.backing.namespace}:*`))
      await world.redis.del(key.slice(world.backing.namespace.length + 1));
    await Promise.all(Array.from({ length: 20 }, () => world.accounts.loadAccount({ userId, tokenId })));
    expect(await relay.account(userId)).toMatchObject({ credits: 10_000, spent: 600, held: 0 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ budget: 1_000, spent: 600 });
  });

  it("keeps calls that are open meanwhile", async () => {
    const userId = await user(1_000);
    const relay = createRelayDouble(world.redis);
    // Settled while the account was not loaded: only the entry records it.
    await relay.settle({ id: `open-${userId}`, userId, amount: 30 });
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    expect(await relay.account(userId)).toMatchObject({ credits: 1_000, spent: 0, held: 30 });
  });

  it("opens an account that auth still owes the user", async () => {
    const userId = 888_888;
    const open = () => world.accounts.openAccount({ userId, credit: 70, kind: "gift", reason: "" });
    world.owed.set(userId, open);
    const loads = Array.from({ length: 5 }, () => world.accounts.loadAccount({ userId, tokenId: 0 }));
    await Promise.all(loads);
    expect(await createRelayDouble(world.redis).account(userId)).toMatchObject({ credits: 70, spent: 0, held: 0 });
  });

  it("reports what does not exist", async () => {
    const userId = await user();
    const other = await user();
    const { token } = await world.tokens.createToken({ userId: other, userGroup: "default", input: tokenInput });
    await expect(world.accounts.loadAccount({ userId: 999_999, tokenId: 0 })).rejects.toEqual(
      code("account_not_found"),
    );
    await expect(world.accounts.loadAccount({ userId, tokenId: token?.id ?? 0 })).rejects.toEqual(
      code("token_not_found"),
    );
  });

  it("is unavailable, not wrong, while the stream is missing", async () => {
    const lonely = await startBillingWorld();
    try {
      await lonely.accounts.openAccount({ userId: 1, credit: 5, kind: "gift", reason: "" });
      await lonely.billing.consumer.stop();
      await lonely.manager.streams.delete(lonely.names.stream);
      await expect(lonely.accounts.loadAccount({ userId: 1, tokenId: 0 })).rejects.toEqual(code("unavailable"));
      expect(await readAccount(lonely, 1)).toMatchObject({ credits: 5 });
    } finally {
      await lonely.stop();
    }
  });
});

/** A connection to MongoDB that can be cut. */
async function cuttable(target: URL) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore: () => void (isCut = false),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe("MongoDB outage in the middle of a batch", () => {
  it("commits complete batches or nothing, and posts the others afterwards", async () => {
    const url = new URL(world.backing.mongodbUrl);
    const way = await cuttable(new URL(url));
    url.host = `127.0.0.1:${way.port}`;
    url.searchParams.delete("replicaSet");
    url.searchParams.set("directConnection", "true");
    const connection = await connectMongo(url.toString());
    const collections = createCollections(connection);
    const { post } = createUsagePoster({ connection, collections, isLogged: () => true, nowMs: Date.now });
    const userId = await user();
    const batches = Array.from({ length: 12 }, () => Array.from({ length: 100 }, () => usage({ userId, quota: 1 })));
    let cuts = 0;
    const cutting = setInterval(() => {
      if (++cuts > 4) return;
      way.cut();
      setTimeout(way.restore, 20);
    }, 75);
    const again: (typeof batches)[number][] = [];
    const failures: unknown[] = [];
    for (const batch of batches) {
      await post(batch).catch((error: unknown) => {
        failures.push(error);
        again.push(batch);
      });
    }
    clearInterval(cutting);
    way.restore();
    expect(failures.filter((error) => !isMongoUnavailable(error))).toEqual([]);
    const between = await readAccount(world, userId);
    expect((between?.spent ?? 0) % 100).toBe(0);
    for (const batch of [...again, ...batches]) await post(batch);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 1_200, requestCount: 1_200 });
    expect(await world.collections.logs.countDocuments({ userId })).toBe(1_200);
    await connection.close();
    way.stop();
  }, 60_000);
});
