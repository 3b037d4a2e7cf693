import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccount, actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { createRelayDouble } from "../relay-double.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 4_000;
const newUser = (): number => ++lastUser;
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const form = {
  name: "spring",
  quota: 100,
  count: 1,
  key: "",
  isGift: false,
  maxUses: -1,
  validFrom: 0,
  validUntil: 0,
};
const make = async (changes: Partial<typeof form> = {}): Promise<string[]> => [
  ...(await world.redemptions.createRedemptions({ ...form, ...changes }, admin)).keys,
];
const makeOne = async (changes: Partial<typeof form> = {}): Promise<string> => (await make(changes))[0] ?? "";
const redeem = (key: string, userId: number) =>
  world.redemptions.redeem({ userId, username: `user${userId}`, key, address: "192.0.2.7" }, actor(userId));
const find = async (key: string) => {
  const stored = await world.collections.redemptions.findOne({ key });
  if (!stored) throw new Error("no such code");
  return stored;
};
/** The results of many attempts: error codes, "ok" for successes. */
const outcomes = async (tries: readonly Promise<unknown>[]): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(tries)) {
    const name = result.status === "fulfilled" ? "ok" : (result.reason as { code: string }).code;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe("code creation", () => {
  it("returns as many keys as requested", async () => {
    const keys = await make({ count: 100 });
    expect(new Set(keys).size).toBe(100);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it("creates one code with a given key, once", async () => {
    expect(await make({ key: "SPRING-2026", count: 5 })).toEqual(["SPRING-2026"]);
    await expect(make({ key: "SPRING-2026" })).rejects.toEqual(code("redemption_key_taken"));
  });

  it("names a code after its quota if it has no name", async () => {
    const key = await makeOne({ name: "", quota: 500_000 });
    expect((await find(key)).name).toBe("＄1.000000");
  });

  it.each([
    ["a long name", { name: "x".repeat(21) }, "redemption_name_invalid"],
    ["no quota", { quota: 0 }, "redemption_quota_invalid"],
    ["a negative quota", { quota: -5 }, "redemption_quota_invalid"],
    ["no code at all", { count: 0 }, "redemption_count_invalid"],
    ["too many codes", { count: 101 }, "redemption_count_invalid"],
    ["an end before its start", { validFrom: 20, validUntil: 10 }, "redemption_window_invalid"],
    ["an invalid number of uses", { isGift: true, maxUses: -2 }, "invalid_input"],
  ])("is refused with %s", async (_, changes, expected) => {
    await expect(make(changes)).rejects.toEqual(code(expected));
  });

  it("is available to admins only", async () => {
    await expect(world.redemptions.createRedemptions(form, actor(5))).rejects.toEqual(code("permission_denied"));
  });
});

describe("code administration", () => {
  it("lists by id and by name prefix, newest first", async () => {
    const [first = "", second = ""] = await make({ name: "autumn.x", count: 2 });
    const list = (keyword: string, id = 0) =>
      world.redemptions.listRedemptions({ page: 0, pageSize: 10, keyword, id }, admin);
    const found = await list("autumn.");
    expect(found.total).toBe(2);
    expect(found.items.map(({ key }) => key)).toEqual([second, first]);
    const { _id } = await find(first);
    expect((await list("", _id)).items).toMatchObject([{ id: _id, key: first, status: 1, maxUses: 1 }]);
    expect((await list(String(_id))).items.map(({ id }) => id)).toContain(_id);
    expect((await list("utumn")).total).toBe(0);
  });

  it("edits, enables and disables codes until they are used", async () => {
    const key = await makeOne();
    const { _id: id } = await find(key);
    const edit = { id, name: "new", quota: 70, validFrom: 0, validUntil: 0, statusOnly: undefined };
    expect((await world.redemptions.updateRedemption(edit, admin)).redemption).toMatchObject({
      name: "new",
      quota: 70,
    });
    const setStatus = (statusOnly: number) => world.redemptions.updateRedemption({ ...edit, statusOnly }, admin);
    await setStatus(2);
    await expect(redeem(key, newUser())).rejects.toEqual(code("redemption_invalid"));
    await setStatus(1);
    await expect(setStatus(3)).rejects.toEqual(code("redemption_status_invalid"));
    expect(await redeem(key, newUser())).toEqual({ quota: 70, isGift: false });
    await expect(setStatus(1)).rejects.toEqual(code("redemption_used"));
    await expect(world.redemptions.updateRedemption(edit, admin)).rejects.toEqual(code("redemption_used"));
    await expect(setStatus(1)).rejects.toEqual(code("redemption_used"));
    await world.redemptions.deleteRedemption({ id }, admin);
    await expect(world.redemptions.deleteRedemption({ id }, admin)).rejects.toEqual(code("redemption_not_found"));
  });
});

describe("code redemption", () => {
  it("credits the balance, with a ledger entry, a log row and a Redis update at once", async () => {
    const userId = newUser();
    await world.accounts.openAccount({ userId, credit: 5, kind: "gift", reason: "" });
    await world.accounts.loadAccount({ userId, tokenId: 0 });
    const key = await makeOne({ quota: 250 });
    expect(await redeem(` \u200B${key.slice(0, 4)}\u2060${key.slice(4)}\uFEFF `, userId)).toEqual({
      quota: 250,
      isGift: false,
    });
    expect(await readAccount(world, userId)).toMatchObject({ credits: 255 });
    const { _id, status, usedUserId, usedCount } = await find(key);
    expect({ status, usedUserId, usedCount }).toEqual({ status: 3, usedUserId: userId, usedCount: 1 });
    const entry = await world.collections.ledger.findOne({ _id: `redemption:${_id}:${userId}` });
    expect(entry).toMatchObject({ kind: "redemption", amount: 250, creditsAfter: 255 });
    expect(await world.collections.logs.findOne({ userId, type: 1 })).toMatchObject({ quota: 250 });
    expect(await createRelayDouble(world.redis).account(userId)).toMatchObject({ credits: 255 });
  });

  it("gives a code to one of fifty concurrent users", async () => {
    const key = await makeOne();
    const users = Array.from({ length: 50 }, newUser);
    expect(await outcomes(users.map((userId) => redeem(key, userId)))).toEqual({ ok: 1, redemption_used: 49 });
    const accounts = await world.collections.accounts.find({ _id: { $in: users } }).toArray();
    expect(accounts.reduce((sum, account) => sum + account.credits, 0)).toBe(100);
  });

  it("redeems a gift code up to its number of uses, once per user", async () => {
    const key = await makeOne({ isGift: true, maxUses: 7 });
    const users = Array.from({ length: 20 }, newUser);
    const tries = users.flatMap((userId) => [redeem(key, userId), redeem(key, userId)]);
    const { ok } = await outcomes(tries);
    expect(ok).toBe(7);
    const { usedCount, status } = await find(key);
    expect({ usedCount, status }).toEqual({ usedCount: 7, status: 3 });
    const accounts = await world.collections.accounts.find({ _id: { $in: users } }).toArray();
    expect(accounts.filter(({ credits }) => credits === 100)).toHaveLength(7);
    await expect(redeem(key, newUser())).rejects.toEqual(code("redemption_exhausted"));
  });

  it("refuses a second use of a gift code by the same user", async () => {
    const key = await makeOne({ isGift: true, maxUses: 0 });
    const userId = newUser();
    expect(await redeem(key, userId)).toEqual({ quota: 100, isGift: true });
    await expect(redeem(key, userId)).rejects.toEqual(code("redemption_used"));
    expect((await find(key)).maxUses).toBe(-1);
  });

  it("enforces the validity period of a code", async () => {
    const early = await makeOne({ validFrom: nowSeconds() + 1_000 });
    const late = await makeOne({ validUntil: nowSeconds() - 1_000 });
    const good = await makeOne({ validFrom: nowSeconds() - 1_000, validUntil: nowSeconds() + 1_000 });
    await expect(redeem(early, newUser())).rejects.toEqual(code("redemption_not_valid_now"));
    await expect(redeem(late, newUser())).rejects.toEqual(code("redemption_not_valid_now"));
    expect(await redeem(good, newUser())).toMatchObject({ quota: 100 });
  });

  it("refuses disabled gift codes", async () => {
    const key = await makeOne({ isGift: true });
    const { _id: id } = await find(key);
    const change = { id, name: "", quota: 0, validFrom: 0, validUntil: 0, statusOnly: 2 };
    await world.redemptions.updateRedemption(change, admin);
    await expect(redeem(key, newUser())).rejects.toEqual(code("redemption_invalid"));
  });

  it("blocks a user after ten invalid codes, and counts only those", async () => {
    const userId = newUser();
    await expect(redeem("", userId)).rejects.toEqual(code("redemption_required"));
    expect(await redeem(await makeOne(), userId)).toMatchObject({ quota: 100 });
    for (let count = 0; count < 10; count++)
      await expect(redeem(`wrong-${count}`, userId)).rejects.toEqual(code("redemption_invalid"));
    await expect(redeem(await makeOne(), userId)).rejects.toEqual(code("redemption_rate_limited"));
    expect(await redeem(await makeOne(), newUser())).toMatchObject({ quota: 100 });
  });
});
