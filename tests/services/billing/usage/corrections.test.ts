import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { createFindings } from "../../../../services/billing/src/reconciliation/findings.ts";
import { reconcileBalanceCache } from "../../../../services/billing/src/reconciliation/balance-cache-reconciliation.ts";
import { reconcileLedger } from "../../../../services/billing/src/reconciliation/ledger-reconciliation.ts";
import { readAccount, type BillingWorld, startBillingWorld, tokenInput } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 8_000;
async function user() {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit: 10_000, kind: "gift", reason: "" });
  const { token } = await world.tokens.createToken({ userId, userGroup: "default", input: tokenInput });
  const tokenId = token?.id ?? 0;
  await world.accounts.loadAccount({ userId, tokenId });
  return { userId, tokenId };
}
/** A call, first posted from its hold at the price of its prompt, and its true record. */
async function estimatedCall(quota: number, trueQuota: number) {
  const ids = await user();
  const record = usage({ ...ids, channelId: 77, quota: trueQuota, promptTokens: 30, completionTokens: 12 });
  const estimate: UsageRecord = {
    ...record,
    createdAtSeconds: record.createdAtSeconds - 7_200,
    quota,
    completionTokens: 0,
    recovered: true,
  };
  await world.publish([estimate]);
  await world.drained();
  return { ...ids, record, estimate };
}
const released = (record: UsageRecord): UsageRecord => ({ ...record, type: 6, quota: 0, released: true });
async function post(...records: UsageRecord[]): Promise<void> {
  for (const record of records) await world.publish([record]);
  await world.drained();
}
async function expectAgreement(): Promise<void> {
  const findings = createFindings();
  await reconcileLedger(world.connection, world.collections, findings);
  const { redis, collections } = world;
  await reconcileBalanceCache({ redis, collections, findings, isDrained: () => Promise.resolve(true) });
  expect(findings.lines().filter((line) => line.startsWith("MISMATCH"))).toEqual([]);
}
/** Every counter of the log's tallies, summed by dimension. */
async function tallied(userId: number): Promise<number> {
  const [tally] = await world.collections.logTallies
    .aggregate<{ quota: number }>([
      { $match: { dim: "u", userId } },
      { $project: { quota: { $sum: { $map: { input: { $objectToArray: "$quota" }, in: "$$this.v" } } } } },
      { $group: { _id: null, quota: { $sum: "$quota" } } },
    ])
    .toArray();
  return tally?.quota ?? 0;
}

describe("late true record of a call that was posted from its hold", () => {
  it.each([
    ["more", 40, 100],
    ["less", 100, 40],
  ])("replaces row, sums, tallies and balances when the call cost %s", async (_, quota, trueQuota) => {
    const { userId, tokenId, record } = await estimatedCall(quota, trueQuota);
    expect(await readAccount(world, userId)).toMatchObject({ spent: quota, requestCount: 1 });
    await post(record, record);
    expect(await readAccount(world, userId)).toMatchObject({ spent: trueQuota, requestCount: 1 });
    expect(await world.collections.logs.find({ userId, type: 2 }).toArray()).toMatchObject([
      { requestId: record.requestId, quota: trueQuota, completionTokens: 12, createdAt: record.createdAtSeconds },
    ]);
    const { token } = await world.tokens.getToken({ userId, id: tokenId });
    expect(token).toMatchObject({ usedQuota: trueQuota, remainQuota: 1_000 - trueQuota });
    const relay = createRelayDouble(world.redis);
    expect(await relay.account(userId)).toMatchObject({ spent: trueQuota, held: 0 });
    expect(await relay.token(userId, tokenId)).toMatchObject({ spent: trueQuota });
    expect(await tallied(userId)).toBe(trueQuota);
    const days = await world.collections.userDays.find({ userId }).toArray();
    expect(days.reduce((sum, day) => sum + day.quota, 0)).toBe(trueQuota);
    expect(days.reduce((sum, day) => sum + day.count, 0)).toBe(1);
    const ofToken = await world.collections.tokenDays.find({ _id: { $regex: `:${tokenId}$` } }).toArray();
    // The estimate, of two hours before, may be of another day, whose sum is 0 again.
    expect(ofToken.reduce((sum, day) => sum + day.quota, 0)).toBe(trueQuota);
    await expectAgreement();
  });

  it("is not changed back by a repeat of the estimate", async () => {
    const { userId, record, estimate } = await estimatedCall(100, 40);
    await post(record, estimate, record);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 40, requestCount: 1 });
    await expectAgreement();
  });

  it("charges nothing for a call that its relay released, in whatever order both arrive", async () => {
    const first = await estimatedCall(100, 0);
    await post(released(first.record), first.estimate);
    expect(await readAccount(world, first.userId)).toMatchObject({ spent: 0, requestCount: 0 });
    const { userId } = await user();
    const record = usage({ userId, quota: 70 });
    await post(released(record), { ...record, recovered: true });
    expect(await readAccount(world, userId)).toMatchObject({ spent: 0, requestCount: 0 });
    expect(await world.collections.logs.countDocuments({ userId: { $in: [userId, first.userId] }, type: 2 })).toBe(0);
    expect(await createRelayDouble(world.redis).account(first.userId)).toMatchObject({ spent: 0 });
    await expectAgreement();
  });

  it("charges a call whose hold was released while it ran, once, in whatever order both arrive", async () => {
    const { userId, tokenId } = await user();
    const one = usage({ userId, tokenId, channelId: 77, quota: 70 });
    const other = usage({ userId, tokenId, channelId: 77, quota: 5 });
    await post(released(one), one, one, released(one));
    await post(other, released(other), other);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 75, requestCount: 2 });
    expect(await world.collections.logs.countDocuments({ userId, type: 2 })).toBe(2);
    expect(await tallied(userId)).toBe(75);
    await expectAgreement();
  });

  it("charges a call that runs again under its request id after its first run was recovered and released", async () => {
    const { userId, record, estimate } = await estimatedCall(100, 40);
    await post(released(record), record, estimate);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 40, requestCount: 1 });
    await expectAgreement();
  });

  it("charges a call once whose release another replica posted at the same time", async () => {
    const { userId } = await user();
    const record = usage({ userId, quota: 70 });
    await post(record);
    const _id = record.requestId;
    await world.collections.postedRecords.insertOne({ _id, expiresAt: new Date("2100"), estimate: released(record) });
    await post(record, released(record), record);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 70, requestCount: 1 });
    expect(await world.collections.logs.countDocuments({ userId, type: 2 })).toBe(1);
    await expectAgreement();
  });

  it("charges such calls when they are not logged, too", async () => {
    await world.setOption("LogConsumeEnabled", "false");
    const { userId } = await user();
    const record = usage({ userId, quota: 70 });
    await post(released(record), record, released(record), record);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 70, requestCount: 1 });
    await world.setOption("LogConsumeEnabled", "true");
    await expectAgreement();
  });

  it("prefers a settled cost over an estimate, and the larger of two estimates", async () => {
    const { userId, estimate } = await estimatedCall(40, 0);
    await post({ ...estimate, quota: 60 }, { ...estimate, quota: 50 });
    expect(await readAccount(world, userId)).toMatchObject({ spent: 60, requestCount: 1 });
    await post({ ...estimate, quota: 55, settled: true }, { ...estimate, quota: 80 });
    expect(await readAccount(world, userId)).toMatchObject({ spent: 55, requestCount: 1 });
    await expectAgreement();
  });

  it("corrects a call that is not logged, too", async () => {
    await world.setOption("LogConsumeEnabled", "false");
    const { userId, record } = await estimatedCall(100, 40);
    await post(record, record);
    expect(await readAccount(world, userId)).toMatchObject({ spent: 40, requestCount: 1 });
    await world.setOption("LogConsumeEnabled", "true");
    await expectAgreement();
  });
});
