import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actor, admin, readAccount, type BillingWorld, startBillingWorld } from "../billing-world.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world.stop());

let lastUser = 7_000;
const newUser = (): number => ++lastUser;
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const form = { name: "spring", quota: 100, count: 1, key: "", isGift: false, maxUses: -1, validFrom: 0, validUntil: 0 };
const make = async (changes: Partial<typeof form> = {}): Promise<string[]> => [
  ...(await world.redemptions.createRedemptions({ ...form, ...changes }, admin)).keys,
];
const redeem = (key: string, userId: number, address = "192.0.2.7") =>
  world.redemptions.redeem({ userId, username: `user${userId}`, key, address }, actor(userId));
const named = (name: string) => world.collections.redemptions.find({ name }).sort({ _id: 1 }).toArray();

describe("bulk code operations", () => {
  it("disables all codes except used ones, which stay used", async () => {
    const keys = await make({ name: "bulk-1", count: 5 });
    await redeem(keys[0] ?? "", newUser());
    const ids = (await named("bulk-1")).map(({ _id }) => _id);
    expect(await world.redemptions.disableRedemptions({ ids: [...ids, ...ids, 999_999] }, admin)).toEqual({ count: 4 });
    expect((await named("bulk-1")).map(({ status }) => status)).toEqual([3, 2, 2, 2, 2]);
    await expect(redeem(keys[1] ?? "", newUser())).rejects.toEqual(code("redemption_invalid"));
    await expect.poll(() => world.audits.map(({ action }) => action)).toContain("redemption.batch_disable");
    await expect(world.redemptions.disableRedemptions({ ids: [] }, admin)).rejects.toEqual(
      code("redemptions_required"),
    );
  });

  it("deletes disabled and used codes", async () => {
    const keys = await make({ name: "bulk-2", count: 3 });
    await redeem(keys[0] ?? "", newUser());
    const [, second] = await named("bulk-2");
    await world.redemptions.disableRedemptions({ ids: [second?._id ?? 0] }, admin);
    const { count } = await world.redemptions.deleteDisabledRedemptions({}, admin);
    expect(count).toBeGreaterThanOrEqual(2);
    expect((await named("bulk-2")).map(({ status }) => status)).toEqual([1]);
  });

  it("counts and deletes by exact name", async () => {
    await make({ name: "bulk-3", count: 100 });
    await make({ name: "bulk-3x", count: 2 });
    expect(await world.redemptions.countRedemptionsByName({ name: "bulk-3" }, admin)).toEqual({ count: 100 });
    expect(await world.redemptions.deleteRedemptionsByName({ name: "bulk-3" }, admin)).toEqual({ count: 100 });
    expect(await world.redemptions.countRedemptionsByName({ name: "bulk-3" }, admin)).toEqual({ count: 0 });
    expect(await named("bulk-3x")).toHaveLength(2);
    await expect(world.redemptions.deleteRedemptionsByName({ name: " " }, admin)).rejects.toEqual(
      code("redemption_name_required"),
    );
  });

  it("is available to admins only", async () => {
    const redeemer = actor(newUser());
    const calls = [
      () => world.redemptions.disableRedemptions({ ids: [1] }, redeemer),
      () => world.redemptions.deleteDisabledRedemptions({}, redeemer),
      () => world.redemptions.countRedemptionsByName({ name: "x" }, redeemer),
      () => world.redemptions.deleteRedemptionsByName({ name: "x" }, redeemer),
    ];
    for (const call of calls) await expect(call()).rejects.toEqual(code("permission_denied"));
  });
});

describe("gift code with five uses", () => {
  it("is credited exactly five times when fifty users enter it at once, over two replicas", async () => {
    const other = await world.addReplica();
    const [key = ""] = await make({ name: "gift", isGift: true, maxUses: 5 });
    const users = Array.from({ length: 50 }, newUser);
    const results = await Promise.allSettled(
      users.map((userId, index) =>
        (index % 2 === 0 ? world : other).redemptions.redeem(
          { userId, username: `user${userId}`, key, address: "192.0.2.7" },
          actor(userId),
        ),
      ),
    );
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refusals).toHaveLength(45);
    expect(refusals).toEqual(refusals.map(() => code("redemption_exhausted")));
    const entries = await world.collections.ledger.find({ userId: { $in: users } }).toArray();
    expect(entries.map(({ amount }) => amount)).toEqual([100, 100, 100, 100, 100]);
    expect(await world.collections.redemptions.findOne({ key })).toMatchObject({ usedCount: 5, status: 3 });
  });
});

describe("invalid codes", () => {
  it("blocks an address after a hundred, whichever users enter them, and no other address", async () => {
    const address = "198.51.100.9";
    for (let round = 0; round < 100; round++)
      await expect(redeem(`wrong-${round}`, newUser(), address)).rejects.toEqual(code("redemption_invalid"));
    const [key = ""] = await make();
    await expect(redeem(key, newUser(), address)).rejects.toEqual(code("redemption_rate_limited"));
    expect(await redeem(key, newUser(), "198.51.100.10")).toMatchObject({ quota: 100 });
  });
});

describe("redemption rebate", () => {
  it("credits the inviter of the redeeming user, once, rounded down to integer units", async () => {
    const [userId, inviterId] = [newUser(), newUser()];
    world.inviters.set(userId, inviterId);
    await world.setOption("RebateEnabled", "true");
    await world.setOption("RebatePercentage", "2.5");
    const [key = "", small = ""] = await make({ count: 2, quota: 119 });
    await redeem(key, userId);
    expect(await readAccount(world, inviterId)).toMatchObject({ credits: 2 });
    const [entry] = await world.collections.ledger.find({ userId: inviterId }).toArray();
    expect(entry).toMatchObject({
      kind: "rebate",
      amount: 2,
      _id: expect.stringMatching(/^rebate:redemption:/) as unknown,
    });
    expect(await world.collections.logs.findOne({ userId: inviterId })).toMatchObject({ type: 4, quota: 2 });
    await world.setOption("RebateEnabled", "false");
    await redeem(small, userId);
    expect(await readAccount(world, inviterId)).toMatchObject({ credits: 2 });
  });
});
