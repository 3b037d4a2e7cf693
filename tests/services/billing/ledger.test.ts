import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccount, actor, admin, type BillingWorld, startBillingWorld } from "./billing-world.ts";
import { usage } from "./usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 9_000;
const newUser = (): number => ++lastUser;
const root = actor(1, 100);
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const all = { userId: 0, reference: "", kind: "", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 10 };
const grant = (userId: number, kind: string, amount: number, reference = `${kind}:${userId}`) =>
  world.credits.addCredit({ reference, userId, kind, amount, reason: `because of ${kind}` });
const getSeconds = (text: string): number => Date.parse(text) / 1000;

describe("the ledger", () => {
  it("lists every credit with its reason and the balance after it", async () => {
    const userId = newUser();
    await grant(userId, "gift", 100);
    await world.publish([usage({ userId, quota: 30 })]);
    await world.drained();
    await grant(userId, "transfer", 5);
    const own = await world.ledger.searchLedger({ ...all, userId }, actor(userId));
    expect(own).toMatchObject({ total: 2, amount: 105 });
    expect(own.items).toMatchObject([
      {
        id: `transfer:${userId}`,
        kind: "transfer",
        amount: 5,
        creditsAfter: 105,
        quotaAfter: 75,
        reason: "because of transfer",
      },
      { id: `gift:${userId}`, kind: "gift", amount: 100, creditsAfter: 100, quotaAfter: 100 },
    ]);
  });

  it("is searchable by reference, kind, user and time", async () => {
    const userId = newUser();
    await grant(userId, "gift", 1, `gift:find.me:${userId}`);
    await grant(userId, "transfer", 2, `transfer:find.me:${userId}`);
    const find = async (changes: Partial<typeof all>) => {
      const { items, total, amount } = await world.ledger.searchLedger({ ...all, ...changes }, admin);
      return { ids: items.map(({ id }) => id), total, amount };
    };
    expect(await find({ reference: "gift:find.me" })).toEqual({ ids: [`gift:find.me:${userId}`], total: 1, amount: 1 });
    expect(await find({ reference: "gift:findxme" })).toEqual({ ids: [], total: 0, amount: 0 });
    expect((await find({ userId })).total).toBe(2);
    expect((await find({ userId, kind: "transfer" })).ids).toEqual([`transfer:find.me:${userId}`]);
    expect((await find({ userId, endSeconds: 1_700_000_000 })).total).toBe(0);
    const now = Math.floor(Date.now() / 1000);
    expect((await find({ userId, startSeconds: now - 60, endSeconds: now })).total).toBe(2);
  });

  it("has an exact sum, however large it is", async () => {
    const users = Array.from({ length: 12 }, newUser);
    for (const userId of users) await grant(userId, "gift", 999_999_999_999_999, `gift:large:${userId}`);
    const large = { ...all, reference: "gift:large:" };
    expect(await world.ledger.searchLedger(large, admin)).toMatchObject({
      total: 12,
      amount: 0,
      exactAmount: String(12n * 999_999_999_999_999n),
    });
  });

  it("shows other users' entries to admins only", async () => {
    const userId = newUser();
    await expect(world.ledger.searchLedger(all, actor(userId))).rejects.toEqual(code("permission_denied"));
    await expect(world.ledger.searchLedger({ ...all, userId: 1 }, actor(userId))).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(world.ledger.getStatement({ userId: 1, month: "2026-11" }, actor(userId))).rejects.toEqual(
      code("permission_denied"),
    );
  });
});

describe("monthly statement", () => {
  it("leads from the opening to the closing balance, day by day and model by model", async () => {
    const userId = newUser();
    const { ledger } = world.collections;
    await grant(userId, "gift", 1_000, `gift:early:${userId}`);
    await grant(userId, "transfer", 50, `transfer:first:${userId}`);
    await grant(userId, "transfer", 7, `transfer:late:${userId}`);
    const setTime = (id: string, text: string) =>
      ledger.updateOne({ _id: id }, { $set: { createdAtMs: Date.parse(text) } });
    await setTime(`gift:early:${userId}`, "2026-08-31T23:59:59.999Z");
    await setTime(`transfer:first:${userId}`, "2026-09-01T00:00:00.000Z");
    await setTime(`transfer:late:${userId}`, "2026-10-01T00:00:00.000Z");
    const use = (text: string, quota: number, modelName = "a-model") =>
      usage({ userId, quota, modelName, createdAtSeconds: getSeconds(text), promptTokens: 3, completionTokens: 4 });
    await world.publish([
      use("2026-08-31T23:10:00Z", 100),
      use("2026-09-01T00:10:00Z", 10),
      use("2026-09-01T23:10:00Z", 20),
      use("2026-09-01T05:10:00Z", 5, "b-model"),
      use("2026-09-30T23:59:59Z", 40),
      use("2026-10-01T00:00:00Z", 300),
    ]);
    await world.drained();
    const month = (text: string) => world.ledger.getStatement({ userId, month: text }, actor(userId));
    const september = await month("2026-09");
    expect(september).toMatchObject({
      openingQuota: 900,
      creditedQuota: 50,
      spentQuota: 75,
      closingQuota: 875,
      isCut: false,
      credits: [{ reference: `transfer:first:${userId}`, amount: 50 }],
    });
    expect(september.uses).toEqual([
      { day: "2026-09-01", modelName: "a-model", requestCount: 2, promptTokens: 6, completionTokens: 8, quota: 30 },
      { day: "2026-09-01", modelName: "b-model", requestCount: 1, promptTokens: 3, completionTokens: 4, quota: 5 },
      { day: "2026-09-30", modelName: "a-model", requestCount: 1, promptTokens: 3, completionTokens: 4, quota: 40 },
    ]);
    const october = await month("2026-10");
    expect(october).toMatchObject({ openingQuota: 875, creditedQuota: 7, spentQuota: 300 });
    const account = await readAccount(world, userId);
    expect(october.closingQuota).toBe((account?.credits ?? 0) - (account?.spent ?? 0));
    await expect(month("2026-13")).rejects.toEqual(code("month_invalid"));
  });
});

describe("ledger check run", () => {
  const finished = async () => {
    await expect
      .poll(async () => (await world.ledger.getLedgerCheck({}, root)).run?.state, { timeout: 20_000 })
      .toBe("done");
    return (await world.ledger.getLedgerCheck({}, root)).run;
  };

  it("is reserved for root, runs once at a time, and reports agreement", async () => {
    expect((await world.ledger.getLedgerCheck({}, root)).run).toMatchObject({ state: "none" });
    await expect(world.ledger.startLedgerCheck({}, admin)).rejects.toEqual(code("permission_denied"));
    await expect(world.ledger.getLedgerCheck({}, admin)).rejects.toEqual(code("permission_denied"));
    const userId = newUser();
    await grant(userId, "gift", 100);
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    const other = await world.addReplica();
    const runs = await Promise.all(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? world : other).ledger.startLedgerCheck({}, root)),
    );
    expect(new Set(runs.map(({ run }) => run?.startedAtSeconds)).size).toBeLessThanOrEqual(2);
    const run = await finished();
    expect(run).toMatchObject({ isClean: true });
    expect(run?.lines).toContain("all figures agree");
  });

  it("reports the differences", async () => {
    const userId = newUser();
    await grant(userId, "gift", 100);
    await world.collections.accounts.updateOne({ _id: userId }, { $inc: { credits: 1 } });
    await world.ledger.startLedgerCheck({}, root);
    const run = await finished();
    await world.collections.accounts.updateOne({ _id: userId }, { $inc: { credits: -1 } });
    expect(run).toMatchObject({ isClean: false });
    expect(run?.lines).toContain(`MISMATCH credits of user ${userId}: 101, but should be 100`);
  });

  it("counts as failed if its process died, and another one may start", async () => {
    const old = Date.now() - 60_000;
    const check = {
      runId: "x",
      state: "running" as const,
      startedAtMs: old,
      seenAtMs: old,
      finishedAtMs: 0,
      isClean: false,
      lines: [],
    };
    await world.collections.state.updateOne({ _id: "ledger_check" }, { $set: { check } });
    expect((await world.ledger.getLedgerCheck({}, root)).run).toMatchObject({ state: "failed" });
    expect((await world.ledger.startLedgerCheck({}, root)).run?.startedAtSeconds).toBeGreaterThan(old / 1000 + 30);
    expect(await finished()).toMatchObject({ isClean: true });
  });
});
