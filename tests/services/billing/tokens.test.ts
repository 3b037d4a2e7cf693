import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenChanged } from "@turnpike/shared/events/billing";
import { actor, admin, type BillingWorld, hashKey, startBillingWorld, tokenInput } from "./billing-world.ts";
import { createRelayDouble } from "./relay-double.ts";
import { usage } from "./usage-records.ts";

let world: BillingWorld;
const notices: { tokenId: number; keyHash: string }[] = [];
beforeAll(async () => {
  const options = {
    UserUsableGroups: JSON.stringify({ default: "默认", vip: "贵宾" }),
    GroupRatio: JSON.stringify({ default: 1, vip: 1, staff: 1 }),
  };
  world = await startBillingWorld({ options });
  world.bus.listen(tokenChanged, (notice) => void notices.push(notice));
});
afterAll(() => world.stop());

let lastUser = 3_000;
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;

/** Creates a user with an account and calls. */
async function user() {
  const userId = ++lastUser;
  await world.accounts.openAccount({ userId, credit: 100_000, kind: "gift", reason: "" });
  const me = actor(userId);
  const create = async (input: Partial<typeof tokenInput> = {}) => {
    const request = { userId, userGroup: "default", input: { ...tokenInput, ...input } };
    const { token } = await world.tokens.createToken(request, me);
    if (!token) throw new Error("no token");
    return token;
  };
  const update = async (id: number, input: Partial<typeof tokenInput>) => {
    const request = { userId, userGroup: "default", id, input: { ...tokenInput, ...input }, statusOnly: undefined };
    return (await world.tokens.updateToken(request, me)).token;
  };
  const setStatus = async (id: number, statusOnly: number) =>
    (await world.tokens.updateToken({ userId, userGroup: "default", id, input: undefined, statusOnly }, me)).token;
  const list = (filter: { keyword?: string; token?: string; page?: number; pageSize?: number } = {}) =>
    world.tokens.listTokens({ userId, page: 0, pageSize: 10, keyword: "", token: "", ...filter }, me);
  const get = async (id: number) => (await world.tokens.getToken({ userId, id }, me)).token;
  return { userId, me, create, update, setStatus, list, get };
}
const resolve = async (key: string) =>
  (await world.tokens.resolveToken({ keyHash: hashKey(key), foreignKeyHash: "" })).token;

describe("new token", () => {
  it("has a key of 48 random characters, and the requested fields", async () => {
    const ann = await user();
    const token = await ann.create({ allowIps: " 10.0.0.1 \n\n2001:db8::/32", modelLimits: "a, b,a,", group: "vip" });
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/);
    expect(token).toMatchObject({
      status: 1,
      remainQuota: 1_000,
      usedQuota: 0,
      allowIps: "10.0.0.1\n2001:db8::/32",
      modelLimits: "a,b",
      group: "vip",
      expiredTime: -1,
    });
    expect(await ann.get(token.id)).toEqual(token);
  });

  it("is not stored in clear", async () => {
    const ann = await user();
    const { id, key } = await ann.create();
    const stored = await world.collections.tokens.findOne({ _id: id });
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it.each([
    ["no name", { name: " " }, "token_name_invalid"],
    ["a long name", { name: "x".repeat(31) }, "token_name_invalid"],
    ["a negative quota", { remainQuota: -1 }, "token_quota_negative"],
    ["a quota above the maximum", { remainQuota: 2e15 }, "invalid_input"],
    ["a wrong address", { allowIps: "10.0.0.1\n10.0.0.0/33" }, "allow_ips_invalid"],
    ["a word for an address", { allowIps: "home" }, "allow_ips_invalid"],
    ["a group that the user may not use", { group: "svip" }, "group_not_usable"],
    ["a limit without a period", { rateLimitEnabled: true, rateLimitPeriod: 0 }, "invalid_input"],
    ["a negative limit", { rateLimitCount: -1 }, "invalid_input"],
  ])("is refused with %s", async (_, input, expected) => {
    const ann = await user();
    await expect(ann.create(input)).rejects.toEqual(code(expected));
  });

  it("may be in the user's own group, listed or not, if it has a ratio", async () => {
    const ann = await user();
    const input = { ...tokenInput, group: "unpriced" };
    await expect(
      world.tokens.createToken({ userId: ann.userId, userGroup: "unpriced", input }, ann.me),
    ).rejects.toEqual(code("group_not_usable"));
    const request = { userId: ann.userId, userGroup: "staff", input: { ...tokenInput, group: "staff" } };
    expect((await world.tokens.createToken(request, ann.me)).token?.group).toBe("staff");
  });

  it("belongs to its user only", async () => {
    const ann = await user();
    const bob = await user();
    const { id } = await ann.create();
    await expect(bob.get(id)).rejects.toEqual(code("token_not_found"));
    await expect(bob.setStatus(id, 2)).rejects.toEqual(code("token_not_found"));
    await expect(bob.update(id, {})).rejects.toEqual(code("token_not_found"));
    await expect(world.tokens.deleteToken({ userId: bob.userId, id }, bob.me)).rejects.toEqual(code("token_not_found"));
  });
});

describe("token list", () => {
  it("shows keys, newest first, in pages from 0", async () => {
    const ann = await user();
    const made = [await ann.create({ name: "a" }), await ann.create({ name: "b" }), await ann.create({ name: "c" })];
    const first = await ann.list({ pageSize: 2 });
    expect(first.total).toBe(3);
    expect(first.items.map(({ name }) => name)).toEqual(["c", "b"]);
    expect((await ann.list({ pageSize: 2, page: 1 })).items).toEqual([made[0]]);
  });

  it("finds by name and by any part of the key", async () => {
    const ann = await user();
    const laptop = await ann.create({ name: "My Laptop.*" });
    await ann.create({ name: "phone" });
    expect((await ann.list({ keyword: "laptop" })).items).toEqual([laptop]);
    expect((await ann.list({ keyword: ".*" })).items).toEqual([laptop]);
    for (const token of [`sk-${laptop.key}`, laptop.key, laptop.key.slice(10, 30)])
      expect((await ann.list({ token })).items).toEqual([laptop]);
    expect(await ann.list({ token: "nothing like it" })).toEqual({ items: [], total: 0 });
  });

  it("lists the token with exactly the searched name first, however many names contain it", async () => {
    const ann = await user();
    const exact = await ann.create({ name: "Seed7" });
    for (let index = 0; index < 12; index++)
      // oxlint-disable-next-line no-await-in-loop -- the exact name is the oldest
      await ann.create({ name: `seed7${index}` });
    const first = await ann.list({ keyword: "seed7" });
    expect([first.items[0]?.id, first.total]).toEqual([exact.id, 13]);
    const second = await ann.list({ keyword: "seed7", page: 1 });
    expect(second.items.map(({ name }) => name)).toEqual(["seed72", "seed71", "seed70"]);
    expect((await ann.list({ keyword: "$name" })).total).toBe(0);
  });

  it("hides keys if the site does, except at creation", async () => {
    const ann = await user();
    await world.setOption("TokenKeysHidden", "true");
    try {
      const token = await ann.create();
      expect(token.key).toHaveLength(48);
      expect((await ann.get(token.id))?.key).toBe("");
      expect((await ann.list()).items[0]?.key).toBe("");
      expect((await ann.list({ token: token.key.slice(0, 8) })).total).toBe(0);
    } finally {
      await world.setOption("TokenKeysHidden", "false");
    }
  });
});

describe("token of another user", () => {
  it("is shown to administrators without its key, and to no other user", async () => {
    const ann = await user();
    const { id, key } = await ann.create();
    expect(key).not.toBe("");
    const request = { userId: ann.userId, page: 0, pageSize: 10, keyword: "", token: "" };
    const { items } = await world.tokens.listTokens(request, admin);
    expect(items).toMatchObject([{ id, key: "" }]);
    await expect(world.tokens.listTokens(request, (await user()).me)).rejects.toEqual(code("permission_denied"));
    await expect(world.tokens.getToken({ userId: ann.userId, id }, admin)).rejects.toEqual(code("permission_denied"));
  });
});

describe("token change", () => {
  it("sets the remaining budget, whatever was spent, and updates Redis", async () => {
    const ann = await user();
    const relay = createRelayDouble(world.redis);
    const { id } = await ann.create({ remainQuota: 500 });
    await world.accounts.loadAccount({ userId: ann.userId, tokenId: id });
    await world.publish([usage({ userId: ann.userId, tokenId: id, quota: 120 })]);
    await world.drained();
    expect(await ann.update(id, { remainQuota: 1_000, name: "$spent" })).toMatchObject({
      remainQuota: 1_000,
      usedQuota: 120,
      name: "$spent",
    });
    expect(await relay.token(ann.userId, id)).toMatchObject({ budget: 1_120, spent: 120 });
  });

  it("is published to the relays, deletion included", async () => {
    const ann = await user();
    const { id, key } = await ann.create();
    const keyHash = hashKey(key);
    const count = () => notices.filter((notice) => notice.keyHash === keyHash && notice.tokenId === id).length;
    await expect.poll(count).toBe(1);
    await ann.setStatus(id, 2);
    await expect.poll(count).toBe(2);
    await ann.update(id, { name: "other" });
    await expect.poll(count).toBe(3);
    await world.tokens.deleteToken({ userId: ann.userId, id }, ann.me);
    await expect.poll(count).toBe(4);
    await expect(resolve(key)).rejects.toEqual(code("token_not_found"));
    await expect(ann.get(id)).rejects.toEqual(code("token_not_found"));
    expect((await ann.list()).total).toBe(0);
  });

  it("lets its user enable and disable it, but set no other status", async () => {
    const ann = await user();
    const { id } = await ann.create();
    expect(await ann.setStatus(id, 2)).toMatchObject({ status: 2 });
    expect(await ann.setStatus(id, 1)).toMatchObject({ status: 1 });
    for (const status of [0, 3, 4])
      await expect(ann.setStatus(id, status)).rejects.toEqual(code("token_status_invalid"));
  });

  it("does not enable an expired or exhausted token until that is changed", async () => {
    const ann = await user();
    const past = Math.floor(Date.now() / 1000) - 10;
    const { id, key } = await ann.create({ expiredTime: past });
    expect(await resolve(key)).toMatchObject({ status: 3, key: "" });
    await expect(ann.setStatus(id, 1)).rejects.toEqual(code("token_expired_cannot_enable"));
    expect(await ann.update(id, { remainQuota: 0 })).toMatchObject({ status: 3 });
    await expect(ann.setStatus(id, 1)).rejects.toEqual(code("token_exhausted_cannot_enable"));
    expect(await ann.update(id, { remainQuota: 5 })).toMatchObject({ status: 3 });
    expect(await ann.setStatus(id, 1)).toMatchObject({ status: 1 });
    expect(await resolve(key)).toMatchObject({ status: 1, remainQuota: 5 });
  });

  it("is shown as expired or exhausted from that moment on, even without calls", async () => {
    const ann = await user();
    const past = Math.floor(Date.now() / 1000) - 10;
    const [expired, spent] = [await ann.create({ expiredTime: past }), await ann.create({ remainQuota: 0 })];
    expect((await ann.list()).items.map(({ id, status }) => [id, status])).toEqual([
      [spent.id, 4],
      [expired.id, 3],
    ]);
    expect(await ann.get(expired.id)).toMatchObject({ status: 3 });
    expect(await ann.update(spent.id, { remainQuota: 5 })).toMatchObject({ status: 1 });
    expect(await resolve(spent.key)).toMatchObject({ status: 1 });
  });

  it("adds to the quota once for an action id, whatever is spent meanwhile, and deducts no more than is left", async () => {
    const ann = await user();
    const { id } = await ann.create({ remainQuota: 10_000 });
    const edit = (quotaChange: number, actionId?: string) =>
      world.tokens.updateToken(
        {
          userId: ann.userId,
          userGroup: "default",
          id,
          input: tokenInput,
          statusOnly: undefined,
          quotaChange,
          actionId,
        },
        ann.me,
      );
    // Five calls of 500 after the form was opened, which is then saved with a new name alone.
    await world.publish(Array.from({ length: 5 }, () => usage({ userId: ann.userId, tokenId: id, quota: 500 })));
    await world.drained();
    expect((await edit(0, "rename")).token).toMatchObject({ remainQuota: 7_500, usedQuota: 2_500 });
    expect((await edit(1_000, "add")).token).toMatchObject({ remainQuota: 8_500 });
    expect((await edit(1_000, "add")).token).toMatchObject({ remainQuota: 8_500 });
    await expect(edit(-8_501, "too much")).rejects.toEqual(code("token_quota_negative"));
    expect((await edit(-8_500, "all")).token).toMatchObject({ remainQuota: 0 });
    expect((await edit(-8_500, "all")).token).toMatchObject({ remainQuota: 0 });
    await expect(edit(1e15 + 1)).rejects.toEqual(code("invalid_input"));
  });

  it("counts an unlimited token's usage below zero without exhausting it", async () => {
    const ann = await user();
    const { id, key } = await ann.create({ unlimitedQuota: true, remainQuota: 0 });
    await world.publish([usage({ userId: ann.userId, tokenId: id, quota: 50 })]);
    await world.drained();
    expect(await resolve(key)).toMatchObject({ status: 1, remainQuota: -50, usedQuota: 50 });
    expect(await ann.update(id, { unlimitedQuota: true, remainQuota: -50 })).toMatchObject({ remainQuota: -50 });
  });
});

describe("prices", () => {
  it("lists prices in order, with the groups the caller may use", async () => {
    const { prices, groups } = await world.prices.listPrices({ models: ["gpt-4o", "no-such-model"], userGroup: "" });
    expect(prices).toMatchObject([
      { modelName: "gpt-4o", quotaType: 0, modelRatio: 1.25, completionRatio: 4, isSet: true, origin: "built_in" },
      { modelName: "no-such-model", isSet: false, origin: "" },
    ]);
    expect(groups).toEqual([
      { group: "default", ratio: 1, description: "默认" },
      { group: "vip", ratio: 1, description: "贵宾" },
    ]);
    const ofStaff = await world.prices.listPrices({ models: [], userGroup: "staff" });
    expect(ofStaff.groups.map(({ group }) => group)).toContain("staff");
    const ofUnpricedGroup = await world.prices.listPrices({ models: [], userGroup: "unpriced" });
    expect(ofUnpricedGroup.groups.map(({ group }) => group)).not.toContain("unpriced");
  });
});
