import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { optionsChanged } from "@turnpike/shared/events/auth";
import { pricesChanged } from "@turnpike/shared/events/billing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";

type Change = { key: string; value?: string; reset?: boolean; set?: Record<string, unknown>; remove?: string[] };

const FORMER = { ModelRatio: '{"house-large":1.25,"house-mini":0.55}', CacheRatio: OPTIONS.CacheRatio.default };
const SOON = { timeout: 10_000 };
const ANY = { name: "", key: "", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 50 };

describe("price book", () => {
  let world: BillingWorld;
  const notices: { revision: number; keys: string[] }[] = [];

  const book = async (from: Pick<BillingWorld, "priceBook"> = world) => {
    const { revision, options } = await from.priceBook.getPriceBook({});
    const values: Record<string, string> = Object.fromEntries(options.map(({ key, value }) => [key, value]));
    const { own } = JSON.parse(values[CATALOGUE_ROW] ?? "{}") as { own: Record<string, object> };
    // What the administrators set; the tables themselves hold the built-in prices, too.
    const set = Object.fromEntries(Object.entries(own).map(([key, table]) => [key, JSON.stringify(table)]));
    return { revision, values: { ...values, ...set } };
  };
  const change = async (
    changes: Change[],
    expectedRevision?: number,
    from: Pick<BillingWorld, "priceBook"> = world,
  ) => {
    const toTexts = (set: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(set).map(([name, entry]) => [name, JSON.stringify(entry)]));
    const sent = changes.map(({ key, value, reset = false, set = {}, remove = [] }) => ({
      key,
      value,
      reset,
      set: toTexts(set),
      remove,
    }));
    return (await from.priceBook.changePrices({ changes: sent, expectedRevision }, admin)).revision;
  };
  const history = async (filter: Partial<typeof ANY> = {}) =>
    (await world.priceBook.listPriceChanges({ ...ANY, ...filter }, admin)).items.map(({ key, name, before, after }) => [
      key,
      name,
      before,
      after,
    ]);
  const getPrice = async (model: string) =>
    (await world.prices.listPrices({ models: [model], userGroup: "default" })).prices[0];

  beforeAll(async () => {
    world = await startBillingWorld({ options: FORMER });
    world.bus.listen(pricesChanged, (notice) => void notices.push(notice));
    world.billing.audit.start();
  });
  afterAll(async () => {
    await world.billing.audit.stop();
    await world.stop();
  });

  it("starts with the prices that an earlier version stored at auth, and built-in defaults for all others", async () => {
    const { revision, values } = await book();
    expect(revision).toBe(1);
    expect(values).toMatchObject({ ModelRatio: FORMER.ModelRatio, ModelPrice: OPTIONS.ModelPrice.default });
    const stored = await world.collections.priceBook.findOne({});
    expect(Object.keys(stored?.values ?? {})).toEqual(["ModelRatio"]);
    expect(await getPrice("house-mini")).toMatchObject({ quotaType: 0, modelRatio: 0.55, origin: "operator" });
  });

  it("is imported once, however many replicas start", async () => {
    const replicas = await Promise.all([world.addReplica(), world.addReplica()]);
    expect(await Promise.all(replicas.map(async (one) => (await book(one)).revision))).toEqual([1, 1]);
    await change([{ key: "ModelRatio", set: { "house-large": 1.5 } }]);
    const later = await world.addReplica();
    expect(JSON.parse((await book(later)).values["ModelRatio"] ?? "")).toEqual({
      "house-large": 1.5,
      "house-mini": 0.55,
    });
  });

  it("moves a model between ratio and price in one revision, with one event", async () => {
    notices.length = 0;
    const { revision } = await book();
    const moved = await change([
      { key: "ModelRatio", remove: ["house-mini"] },
      { key: "CompletionRatio", remove: ["house-mini"] },
      { key: "ModelPrice", set: { "house-mini": 0.02 } },
    ]);
    expect(moved).toBe(revision + 1);
    await vi.waitFor(() => expect(notices).toEqual([{ revision: moved, keys: expect.any(Array) as unknown }]));
    expect(notices[0]?.keys.toSorted()).toEqual(["ModelPrice", "ModelRatio"]);
    await vi.waitFor(async () =>
      expect(await getPrice("house-mini")).toMatchObject({ quotaType: 1, modelPrice: 0.02 }),
    );
  });

  it("stays unchanged if one of several changes is invalid, and the error names the entry", async () => {
    const before = await book();
    const rows = await history();
    await expect(
      change([
        { key: "ModelRatio", set: { fine: 1 } },
        { key: "ModelPrice", set: { "gpt-4.1": -1 } },
      ]),
    ).rejects.toMatchObject({ code: "option_invalid", params: { key: "ModelPrice", path: 'ModelPrice["gpt-4.1"]' } });
    await expect(
      change([
        { key: "ModelRatio", set: { fine: 1 } },
        { key: "SystemName", value: "x" },
      ]),
    ).rejects.toMatchObject({ code: "option_unknown", params: { key: "SystemName" } });
    await expect(
      change([
        { key: "fallback_pricing_enabled", value: "true" },
        { key: "fallback_input_ratio", value: "2" },
      ]),
    ).rejects.toMatchObject({ code: "fallback_pricing_invalid" });
    const broken = { key: "ModelRatio", value: undefined, reset: false, set: { fine: "{" }, remove: [] };
    await expect(
      world.priceBook.changePrices({ changes: [broken], expectedRevision: undefined }, admin),
    ).rejects.toMatchObject({ params: { path: 'ModelRatio["fine"]' } });
    expect(await book()).toEqual(before);
    expect(await history()).toEqual(rows);
  });

  it("refuses changes based on a revision that is no longer current", async () => {
    const { revision } = await book();
    await change([{ key: "ModelRatio", set: { one: 1 } }], revision);
    await expect(change([{ key: "ModelRatio", set: { two: 2 } }], revision)).rejects.toMatchObject({
      code: "prices_changed",
    });
    expect((await book()).values["ModelRatio"]).not.toContain("two");
  });

  it("applies all concurrent changes of several replicas", async () => {
    const other = await world.addReplica();
    const { revision } = await book();
    const names = Array.from({ length: 12 }, (_, index) => `model-${index}`);
    const revisions = await Promise.all(
      names.map((name, index) =>
        change([{ key: "ModelRatio", set: { [name]: index } }], undefined, index % 2 === 0 ? world : other),
      ),
    );
    expect(revisions.toSorted((a, b) => a - b)).toEqual(names.map((_, index) => revision + 1 + index));
    const table = JSON.parse((await book()).values["ModelRatio"] ?? "") as Record<string, number>;
    expect(names.map((name) => table[name])).toEqual(names.map((_, index) => index));
  });

  it("has no new revision if nothing changes", async () => {
    const { revision, values } = await book();
    expect(await change([{ key: "ModelRatio", value: values["ModelRatio"] ?? "", remove: [] }])).toBe(revision);
    expect(
      await change([
        { key: "ModelRatio", remove: ["absent"] },
        { key: "ToolPrices", reset: true },
      ]),
    ).toBe(revision);
  });

  it("records each changed price in its history, newest first", async () => {
    await change([{ key: "ModelRatio", value: '{"house-large":1.25,"house-mini":0.55}' }]);
    await change([
      { key: "ModelRatio", value: '{"house-large":2,"house-five":0.625}' },
      { key: "ResponseCacheRatio", value: "0.5" },
    ]);
    const { items } = await world.priceBook.listPriceChanges({ ...ANY, pageSize: 4 }, admin);
    expect(items.map(({ key, name, before, after }) => [key, name, before, after])).toEqual([
      ["ResponseCacheRatio", "", "0.1", "0.5"],
      ["ModelRatio", "house-mini", "0.55", undefined],
      ["ModelRatio", "house-large", "1.25", "2"],
      ["ModelRatio", "house-five", undefined, "0.625"],
    ]);
    expect(items[0]).toMatchObject({ actorName: "user1", actorId: 1 });
    expect(Math.abs((items[0]?.createdAtSeconds ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    expect(await history({ name: "HOUSE-MI", pageSize: 1 })).toEqual([["ModelRatio", "house-mini", "0.55", undefined]]);
    expect(await history({ key: "ResponseCacheRatio" })).toHaveLength(1);
    expect(await history({ endSeconds: 5 })).toEqual([]);
    await change([{ key: "ModelRatio", reset: true }]);
    expect((await book()).values["ModelRatio"]).toBe(OPTIONS.ModelRatio.default);
    expect(await history({ name: "house-large", key: "ModelRatio" })).toContainEqual([
      "ModelRatio",
      "house-large",
      "2",
      undefined,
    ]);
  });

  it("writes an audit row for each option, in the format of options", async () => {
    await change([{ key: "GroupRatio", value: '{"default":1,"vip":1,"old":2}' }]);
    await change([
      { key: "GroupRatio", value: '{"default":1,"vip":0.5}' },
      { key: "fallback_single_price", value: "0.5" },
    ]);
    const group = {
      action: "option.set",
      target: "option:GroupRatio",
      before: '{"GroupRatio":{"old":2,"vip":1}}',
      after: '{"GroupRatio":{"vip":0.5}}',
    };
    const fallback = { target: "option:fallback_single_price", before: '{"fallback_single_price":""}' };
    await vi.waitFor(() => {
      for (const row of [group, fallback]) expect(world.audits).toContainEqual(expect.objectContaining(row));
    });
  });

  it("imports changes made at an auth of an earlier version during an upgrade, each once", async () => {
    world.authOptions.push({ key: "ImageRatio", value: '{"my-eyes":2}' });
    world.bus.notify(optionsChanged, { revision: 9, keys: ["ImageRatio"] });
    await vi.waitFor(async () => expect((await book()).values["ImageRatio"]).toBe('{"my-eyes":2}'), SOON);
    await change([{ key: "ImageRatio", set: { "my-eyes": 3 } }]);
    const { revision } = await book();
    world.bus.notify(optionsChanged, { revision: 10, keys: ["ImageRatio", "SystemName"] });
    world.authOptions.push({ key: "AudioRatio", value: '{"my-ears":2}' });
    world.bus.notify(optionsChanged, { revision: 11, keys: ["AudioRatio"] });
    await vi.waitFor(async () => expect((await book()).values["AudioRatio"]).toBe('{"my-ears":2}'), SOON);
    expect((await book()).values["ImageRatio"]).toBe('{"my-eyes":3}');
    expect((await book()).revision).toBe(revision + 1);
  });

  it("uses the default of an option that this version cannot parse, until it is replaced", async () => {
    await world.collections.priceBook.updateOne(
      {},
      { $set: { "values.CacheRatio": "{broken" }, $inc: { revision: 1 } },
    );
    expect((await book()).values["CacheRatio"]).toBe(OPTIONS.CacheRatio.default);
    await change([{ key: "CacheRatio", value: '{"a":1}' }]);
    expect((await book()).values["CacheRatio"]).toBe('{"a":1}');
  });

  it("can be changed by administrators only, and read by services and administrators", async () => {
    const changes = [{ key: "ModelRatio", value: "{}", reset: false, set: {}, remove: [] }];
    const sent = { changes, expectedRevision: undefined };
    await expect(world.priceBook.changePrices(sent, actor(5))).rejects.toMatchObject({ code: "permission_denied" });
    await expect(world.priceBook.changePrices(sent)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(world.priceBook.getPriceBook({}, actor(5))).rejects.toMatchObject({ code: "permission_denied" });
    await expect(world.priceBook.listPriceChanges(ANY, actor(5))).rejects.toMatchObject({ code: "permission_denied" });
  });
});
