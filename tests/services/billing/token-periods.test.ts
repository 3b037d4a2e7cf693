import { tokenChanged } from "@turnpike/shared/events/billing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { actor, type BillingWorld, hashKey, startBillingWorld, tokenInput } from "./billing-world.ts";
import { createRelayDouble } from "./relay-double.ts";
import { usage } from "./usage-records.ts";

let world: BillingWorld;
const notices: number[] = [];
beforeAll(async () => {
  world = await startBillingWorld();
  world.bus.listen(tokenChanged, ({ tokenId }) => void notices.push(tokenId));
});
afterAll(() => world.stop());

let lastUser = 10_000;
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const DAY = 24 * 3_600;

async function user() {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit: 100_000, kind: "gift", reason: "" });
  const create = async (input: Partial<typeof tokenInput> = {}) => {
    const request = { userId, userGroup: "default", input: { ...tokenInput, ...input } };
    const { token } = await world.tokens.createToken(request, actor(userId));
    if (!token) throw new Error("no token");
    return token;
  };
  const spend = async (tokenId: number, quota: number, more: object = {}): Promise<void> => {
    await world.publish([usage({ userId, tokenId, quota, ...more })]);
    await world.drained();
  };
  const get = async (id: number) => (await world.tokens.getToken({ userId, id }, actor(userId))).token;
  return { userId, create, spend, get };
}
/** As if the token's period had ended. */
const endPeriod = (tokenId: number) =>
  world.collections.tokens.updateOne({ _id: tokenId }, { $set: { periodEndsAt: Math.floor(Date.now() / 1000) - 5 } });

describe("token with a period", () => {
  it("returns its budget and the time of its next reset", async () => {
    const ann = await user();
    const token = await ann.create({ budgetPeriod: "day", remainQuota: 700 });
    const now = Date.now() / 1000;
    expect(token).toMatchObject({ budgetPeriod: "day", periodQuota: 700, remainQuota: 700 });
    expect(token.budgetResetsAt % DAY).toBe(0);
    expect(token.budgetResetsAt).toBeGreaterThan(now);
    expect(token.budgetResetsAt).toBeLessThanOrEqual(now + DAY);
  });

  it("resets its budget once when its period ends, works again, and keeps its spending", async () => {
    const ann = await user();
    const relay = createRelayDouble(world.redis);
    const { id, key } = await ann.create({ budgetPeriod: "week", remainQuota: 500, periodQuota: 300 });
    await world.accounts.loadAccount({ userId: ann.userId, tokenId: id });
    await ann.spend(id, 520);
    await expect.poll(async () => (await ann.get(id))?.status).toBe(4);
    await endPeriod(id);
    notices.length = 0;
    const other = await world.addReplica();
    await Promise.all([world, other, world, other].map(({ billing }) => billing.jobs.resetTokens()));
    const token = await ann.get(id);
    expect(token).toMatchObject({ status: 1, remainQuota: 300, usedQuota: 520 });
    expect(token?.budgetResetsAt).toBeGreaterThan(Date.now() / 1000);
    expect(await relay.token(ann.userId, id)).toMatchObject({ budget: 820, spent: 520 });
    expect((await world.tokens.resolveToken({ keyHash: hashKey(key), foreignKeyHash: "" })).token).toMatchObject({
      status: 1,
    });
    await expect.poll(() => notices).toContain(id);
    await ann.spend(id, 100);
    await world.billing.jobs.resetTokens();
    expect(await ann.get(id)).toMatchObject({ remainQuota: 200, usedQuota: 620 });
  });

  it("is not reset early when the clock of this machine jumps ahead", async () => {
    const ann = await user();
    const { id } = await ann.create({ budgetPeriod: "day", remainQuota: 500, periodQuota: 300 });
    await ann.spend(id, 100);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * DAY * 1_000 });
    try {
      await world.billing.jobs.resetTokens();
      expect(await ann.get(id)).toMatchObject({ remainQuota: 400 });
      const later = await ann.create({ budgetPeriod: "day" });
      expect(later.budgetResetsAt).toBe((await ann.get(id))?.budgetResetsAt);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not reset late when the clock of this machine falls behind", async () => {
    const ann = await user();
    const { id } = await ann.create({ budgetPeriod: "day", remainQuota: 500, periodQuota: 300 });
    await ann.spend(id, 100);
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: now - 2 * DAY * 1_000 });
    try {
      await world.collections.tokens.updateOne({ _id: id }, { $set: { periodEndsAt: Math.floor(now / 1_000) - 5 } });
      await world.billing.jobs.resetTokens();
      const token = await ann.get(id);
      expect(token).toMatchObject({ remainQuota: 300 });
      expect(token?.budgetResetsAt).toBeGreaterThan(now / 1_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is reset by the service soon after its period ends, unless its owner disabled it", async () => {
    const ann = await user();
    const [first, second] = [await ann.create({ budgetPeriod: "month" }), await ann.create({ budgetPeriod: "month" })];
    const off = { userId: ann.userId, userGroup: "default", id: second.id, input: undefined, statusOnly: 2 };
    await world.tokens.updateToken(off, actor(ann.userId));
    await ann.spend(first.id, 400);
    await ann.spend(second.id, 400);
    await endPeriod(first.id);
    await endPeriod(second.id);
    await expect.poll(async () => (await ann.get(first.id))?.remainQuota, { timeout: 10_000 }).toBe(1_000);
    await expect.poll(async () => (await ann.get(second.id))?.remainQuota, { timeout: 10_000 }).toBe(1_000);
    expect(await ann.get(second.id)).toMatchObject({ status: 2 });
  });

  it.each([
    ["an unknown period", { budgetPeriod: "year" }],
    ["a period without a budget", { budgetPeriod: "day", unlimitedQuota: true }],
    ["a period of zero", { budgetPeriod: "day", remainQuota: 0 }],
    ["a negative period", { budgetPeriod: "day", periodQuota: -1 }],
    ["a negative limit of tokens", { tokensPerMinute: -1 }],
    ["an invalid number of calls", { concurrentCalls: 10_001 }],
  ])("is refused with %s", async (_, input) => {
    await expect((await user()).create(input)).rejects.toEqual(code("invalid_input"));
  });

  it("passes its limits to the relay", async () => {
    const ann = await user();
    const { key } = await ann.create({ tokensPerMinute: 5_000, concurrentCalls: 3 });
    expect((await world.tokens.resolveToken({ keyHash: hashKey(key), foreignKeyHash: "" })).token).toMatchObject({
      tokensPerMinute: 5_000,
      concurrentCalls: 3,
      budgetPeriod: "",
    });
  });
});

describe("token usage", () => {
  it("is returned by day and model, to its owner", async () => {
    const [ann, bob] = [await user(), await user()];
    const { id } = await ann.create();
    const at = (text: string) => ({ createdAtSeconds: Date.parse(text) / 1000, promptTokens: 2, completionTokens: 3 });
    await ann.spend(id, 10, { ...at("2026-11-01T01:00:00Z"), modelName: "a" });
    await ann.spend(id, 20, { ...at("2026-11-01T23:00:00Z"), modelName: "a" });
    await ann.spend(id, 5, { ...at("2026-11-02T01:00:00Z"), modelName: "b" });
    await ann.spend(id, 900, { ...at("2026-11-05T01:00:00Z"), modelName: "b" });
    const range = {
      startSeconds: Date.parse("2026-11-01T00:00:00Z") / 1000,
      endSeconds: Date.parse("2026-11-03T00:00:00Z") / 1000,
    };
    const request = { userId: ann.userId, tokenId: id, ...range };
    expect(await world.tokenUsage.getTokenUsage(request, actor(ann.userId))).toEqual({
      quota: 35,
      uses: [
        { day: "2026-11-01", modelName: "a", requestCount: 2, promptTokens: 4, completionTokens: 6, quota: 30 },
        { day: "2026-11-02", modelName: "b", requestCount: 1, promptTokens: 2, completionTokens: 3, quota: 5 },
      ],
    });
    const foreign = { ...request, userId: bob.userId };
    await expect(world.tokenUsage.getTokenUsage(foreign, actor(bob.userId))).rejects.toEqual(code("token_not_found"));
    const long = { ...request, endSeconds: range.startSeconds + 32 * DAY };
    await expect(world.tokenUsage.getTokenUsage(long, actor(ann.userId))).rejects.toEqual(code("range_too_long"));
  });

  it("is returned as a balance to legacy clients: the token's or its owner's, in dollars or units", async () => {
    const ann = await user();
    const { id } = await ann.create({ remainQuota: 600_000 });
    await ann.spend(id, 100_000);
    const balance = () => world.tokenUsage.getTokenBalance({ tokenId: id });
    const used = { usedToday: 100_000, usedThisWeek: 100_000, usedThisMonth: 100_000 };
    const ofToken = { remainQuota: 500_000, usedQuota: 100_000, unlimited: false, accessUntil: 0, ...used };
    expect(await balance()).toEqual({ ...ofToken, limit: 1.2, totalUsage: 20 });
    await world.setOption("DisplayInCurrencyEnabled", "false");
    expect(await balance()).toEqual({ ...ofToken, limit: 600_000, totalUsage: 10_000_000 });
    await world.setOption("DisplayTokenStatEnabled", "false");
    expect(await balance()).toMatchObject({ remainQuota: 0, usedQuota: 100_000, limit: 100_000 });
    await world.setOption("DisplayTokenStatEnabled", "true");
    const unlimited = await ann.create({ unlimitedQuota: true });
    expect(await world.tokenUsage.getTokenBalance({ tokenId: unlimited.id })).toMatchObject({ limit: 100_000_000 });
    await expect(world.tokenUsage.getTokenBalance({ tokenId: 999_999 })).rejects.toEqual(code("token_not_found"));
    await expect(world.tokenUsage.getTokenBalance({ tokenId: id }, actor(ann.userId))).rejects.toEqual(
      code("permission_denied"),
    );
  });
});
