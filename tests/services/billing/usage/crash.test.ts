import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runLedgerCheck, startBillingProcess } from "../billing-process.ts";
import { readAccount, admin, type BillingWorld, startBillingWorld, tokenInput } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
  await world.billing.consumer.stop();
  await world.billing.scheduler.stop();
});
afterAll(() => world.stop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("billing service killed repeatedly while it posts usage", () => {
  it("posts every call once, with Redis and MongoDB in agreement at the end", async () => {
    const relay = createRelayDouble(world.redis);
    const tokenIds = new Map<number, number>();
    for (let userId = 1; userId <= 8; userId++) {
      await world.accounts.openAccount({ userId, credit: 1_000_000, kind: "gift", reason: "" });
      const { token } = await world.tokens.createToken({
        userId,
        userGroup: "default",
        input: { ...tokenInput, remainQuota: 500_000 },
      });
      tokenIds.set(userId, token?.id ?? 0);
    }
    let service = await startBillingProcess(world);
    for (const [userId, tokenId] of tokenIds) await world.accounts.loadAccount({ userId, tokenId });
    const records = Array.from({ length: 4_000 }, (_, index) => {
      const userId = 1 + (index % 8);
      return usage({ userId, tokenId: tokenIds.get(userId) ?? 0, quota: 1 + (index % 13) });
    });
    const settle = async (index: number): Promise<void> => {
      const part = records.slice(index * 20, index * 20 + 20);
      await Promise.all(
        part.map(async ({ requestId: id, userId, tokenId, quota }) => {
          await relay.hold({ id, userId, tokenId, amount: 20 });
          await relay.settle({ id, userId, tokenId, amount: quota });
        }),
      );
      await world.publish(part);
    };
    const publishing = (async () => {
      for (let index = 0; index < 200; index++) {
        await settle(index);
        await pause(5);
      }
    })();
    for (let round = 0; round < 4; round++) {
      await pause(150 + round * 70);
      await service.kill();
      service = await startBillingProcess(world);
    }
    await publishing;
    await world.drained(40_000);
    for (const [userId, tokenId] of tokenIds) {
      const mine = records.filter((record) => record.userId === userId);
      const spent = mine.reduce((sum, { quota }) => sum + quota, 0);
      expect(await readAccount(world, userId)).toMatchObject({ spent, requestCount: mine.length });
      expect(await relay.account(userId)).toMatchObject({ spent, held: 0 });
      expect(await relay.token(userId, tokenId)).toMatchObject({ spent, held: 0 });
      expect(await relay.open(userId)).toEqual({});
    }
    expect(await world.collections.logs.countDocuments({ type: 2 })).toBe(4_000);
    expect(await service.stop()).toBe(0);
  }, 120_000);
});

describe("ledger check", () => {
  it("passes for a consistent ledger", async () => {
    await world.accounts.setQuota({ userId: 1, username: "ann", quota: 5, actionId: "x" }, admin);
    const { exitCode, output } = await runLedgerCheck(world);
    expect(output).toContain("all figures agree");
    expect(output).toContain("accounts: 8");
    expect(output).toContain("accounts in Redis: 8");
    expect(exitCode).toBe(0);
  }, 60_000);

  it("reports every figure that does not agree", async () => {
    const { accounts, tokens, rollups, ledger } = world.collections;
    await accounts.updateOne({ _id: 2 }, { $inc: { credits: 1 } });
    await accounts.updateOne({ _id: 3 }, { $inc: { spent: 1 } });
    await tokens.updateOne({ userId: 4 }, { $inc: { spent: 1 } });
    await rollups.updateOne({ userId: 5 }, { $inc: { quota: -1 } });
    await ledger.deleteOne({ userId: 6 });
    await world.redis.hincrby("acct:{7}", "held", 1);
    const { exitCode, output } = await runLedgerCheck(world);
    for (const text of [
      "credits of user 2",
      "spent of user 3",
      "spent of token 4",
      "spent of user 5",
      "credits of user 6",
      "user 7: held 1 in Redis",
    ])
      expect(output).toContain(text);
    expect(exitCode).toBe(1);
  }, 60_000);
});
