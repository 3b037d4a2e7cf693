import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccount, type BillingWorld, startBillingWorld } from "./billing-world.ts";
import { createRelayDouble } from "./relay-double.ts";
import { usage } from "./usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 6_000;
async function user(credit = 0): Promise<number> {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit, kind: "gift", reason: "" });
  return userId;
}
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const times = <Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

describe("credit from another service", () => {
  it("is posted once, however many concurrent requests there are", async () => {
    const userId = await user(10);
    const other = await world.addReplica();
    const request = {
      reference: `check-in:${userId}:2026-11-21`,
      userId,
      kind: "check-in",
      amount: 40,
      reason: "签到",
    };
    const responses = await times(50, (index) =>
      (index % 2 === 0 ? world : other).credits.addCredit(request, { timeoutMs: 30_000 }),
    );
    expect(responses.filter(({ applied }) => applied)).toHaveLength(1);
    expect(responses.map(({ quota }) => quota)).toEqual(responses.map(() => 50));
    expect(await readAccount(world, userId)).toMatchObject({ credits: 50 });
    expect(await world.collections.ledger.find({ userId, kind: "check_in" }).toArray()).toMatchObject([
      { _id: request.reference, amount: 40, creditsAfter: 50, reason: "签到" },
    ]);
    expect(await world.collections.logs.find({ userId, type: 5 }).toArray()).toMatchObject([
      { quota: 40, username: `user${userId}`, content: expect.stringContaining("签到") as unknown },
    ]);
  });

  it("changes nothing if its repeat names another amount", async () => {
    const userId = await user();
    const request = { reference: `check-in:${userId}:2026-11-22`, userId, kind: "check-in", amount: 40, reason: "" };
    expect(await world.credits.addCredit(request)).toEqual({ applied: true, quota: 40 });
    expect(await world.credits.addCredit({ ...request, amount: 90 })).toEqual({ applied: false, quota: 40 });
  });

  it("adds up when fifty credits reach one account at once", async () => {
    const userId = await user(1_000);
    await world.publish([usage({ userId, quota: 300 })]);
    await world.drained();
    const request = { userId, kind: "rebate", amount: 7, reason: "" };
    await times(50, (index) =>
      world.credits.addCredit({ ...request, reference: `rebate:${userId}:${index}` }, { timeoutMs: 30_000 }),
    );
    expect(await readAccount(world, userId)).toMatchObject({ credits: 1_350, spent: 300 });
    const [last] = (await world.accounts.listLedgerEntries({ userId, page: 1, pageSize: 1 })).items;
    expect(last?.creditsAfter).toBe(1_350);
  });

  it.each([
    ["gift", "gift", 4],
    ["invitation", "invitation", 4],
    ["rebate", "rebate", 4],
    ["transfer", "transfer", undefined],
  ])("appears for kind %s in the ledger, and in the log under its type", async (kind, ledgerKind, type) => {
    const userId = await user();
    await world.credits.addCredit({ reference: `${kind}:${userId}`, userId, kind, amount: 5, reason: "x" });
    expect(await world.collections.ledger.findOne({ _id: `${kind}:${userId}` })).toMatchObject({ kind: ledgerKind });
    const rows = await world.collections.logs.find({ userId }).toArray();
    expect(rows.map((row) => row.type)).toEqual(type === undefined ? [] : [type]);
  });

  it("is in Redis when the response is sent, if the account is loaded", async () => {
    const userId = await user(100);
    const relay = createRelayDouble(world.redis);
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    await world.credits.addCredit({ reference: `transfer:${userId}`, userId, kind: "transfer", amount: 5, reason: "" });
    expect(await relay.account(userId)).toMatchObject({ credits: 105 });
  });

  it.each([
    ["no reference", { reference: "" }],
    ["a reference with special characters", { reference: "a b" }],
    ["no user", { userId: 0 }],
    ["an unknown kind", { kind: "admin" }],
    ["nothing", { amount: 0 }],
    ["less than nothing", { amount: -5 }],
    ["an amount above the maximum", { amount: 2e15 }],
  ])("is refused with %s", async (_, change) => {
    const request = { reference: "gift:refused", userId: 6_000, kind: "gift", amount: 5, reason: "", ...change };
    await expect(world.credits.addCredit(request)).rejects.toEqual(code("invalid_input"));
  });

  it("is refused where the credits would not be exact any more, and changes nothing", async () => {
    const userId = await user();
    const give = (part: number) =>
      world.credits.addCredit({ reference: `gift:${userId}:${part}`, userId, kind: "gift", amount: 1e15, reason: "" });
    for (let part = 0; part < 9; part++) await give(part);
    await expect(give(9)).rejects.toEqual(code("invalid_input"));
    expect(await readAccount(world, userId)).toMatchObject({ credits: 9e15 });
    expect(await world.collections.ledger.countDocuments({ userId })).toBe(9);
    await world.collections.accounts.deleteOne({ _id: userId });
    await world.collections.ledger.deleteMany({ userId });
  });

  it("is refused under the reference of another user's credit", async () => {
    const [userId, other] = [await user(), await user()];
    const request = { reference: `gift:of:${userId}`, userId, kind: "gift", amount: 5, reason: "" };
    await world.credits.addCredit(request);
    await expect(world.credits.addCredit({ ...request, userId: other })).rejects.toEqual(code("invalid_input"));
    await expect(world.credits.addCredit({ ...request, kind: "rebate" })).rejects.toEqual(code("invalid_input"));
    expect(await readAccount(world, other)).toMatchObject({ credits: 0 });
  });
});
