import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { isSamePrice } from "../../../../services/billing/src/prices/price-factor.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";

const LIST = {
  "gpt-4.1": { litellm_provider: "openai", mode: "chat", input_cost_per_token: 3e-6, output_cost_per_token: 12e-6 },
  "gpt-4o-mini": {
    litellm_provider: "openai",
    mode: "chat",
    input_cost_per_token: 1.5e-5,
    output_cost_per_token: 6e-5,
  },
  "gpt-new": {
    litellm_provider: "openai",
    mode: "chat",
    input_cost_per_token: 1e-6,
    output_cost_per_token: 4e-6,
    input_cost_per_token_above_200k_tokens: 2e-6,
    output_cost_per_token_priority: 8e-6,
    input_cost_per_token_priority: 2e-6,
  },
};

describe("catalogue comparison", () => {
  let world: BillingWorld;
  const compare = (content: unknown, source = "file", url = "") =>
    world.catalogues.compareCatalogue(
      { source, url, content: typeof content === "string" ? content : JSON.stringify(content) },
      admin,
    );
  const rulesInForce = async (): Promise<PriceRules> => {
    const { options } = await world.priceBook.getPriceBook({});
    const row = options.find(({ key }) => key === CATALOGUE_ROW)?.value ?? "{}";
    return (JSON.parse(row) as { rules: PriceRules }).rules;
  };
  const apply = (rules: Record<string, unknown>, isConfirmed: boolean | undefined) =>
    world.priceBook.changePrices(
      {
        changes: [
          {
            key: "CatalogueRules",
            value: undefined,
            reset: false,
            set: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, JSON.stringify(rule)])),
            remove: [],
          },
          { key: "CatalogueDate", value: "2999-01-01", reset: false, set: {}, remove: [] },
        ],
        expectedRevision: undefined,
        isConfirmed,
      },
      admin,
    );

  beforeAll(async () => {
    world = await startBillingWorld();
    const now = Math.floor(Date.now() / 1000);
    const row = { userId: 1, username: "u", tokenId: 1, tokenName: "t", channelName: "c", group: "default" };
    const rest = { isStream: false, useTime: 1, content: "", clientIp: "" };
    const other = JSON.stringify({
      group_ratio: 2,
      lines: [
        { kind: "input", tokens: 1000, price: 2 },
        { kind: "output", tokens: 100, price: 8 },
      ],
    });
    const mapped = JSON.stringify({ ...(JSON.parse(other) as object), upstream_model_name: "gpt-4.1" });
    const calls: readonly { channel: number; modelName: string; refunded?: number; other?: string }[] = [
      { channel: 3, modelName: "gpt-4.1" },
      { channel: 3, modelName: "gpt-4.1", refunded: 1400 },
      { channel: 5, modelName: "openai/gpt-4.1-2099-01-01" },
      { channel: 7, modelName: "house-best", other: mapped },
      { channel: 9, modelName: "o3" },
    ];
    await world.collections.logs.insertMany(
      calls.map((call, index) => ({
        ...row,
        ...rest,
        _id: 900_000 + index,
        createdAt: now - 100,
        type: 2,
        promptTokens: 1000,
        completionTokens: 100,
        quota: 2800,
        requestId: `catalogue-${index}`,
        other,
        ...call,
      })),
    );
    const day = now - 100 - ((now - 100) % 86_400);
    await world.collections.marginDays.insertMany(
      calls.map(({ channel: channelId, modelName, refunded = 0 }, index) => {
        const sums = { count: 1, quota: 2800, refunded };
        return { _id: `${day}:${index}`, day, channelId, channelName: "c", group: "default", modelName, ...sums };
      }),
    );
  });
  afterAll(() => world.stop());

  it("names what is new, changed and missing, and calculates the last 30 days from the log rows", async () => {
    const found = await compare(LIST);
    expect(found.models).toBe(3);
    const byModel = new Map(found.differences.map((difference) => [difference.model, difference]));
    expect(byModel.get("gpt-4.1")).toMatchObject({
      needsConfirmation: true,
      // Under its own name, with a vendor and a date, and as the target of a mapping; one call was refunded by half.
      calls: 4,
      channelIds: [3, 5, 7],
      quota: 9800,
      newQuota: 14_700,
      isOverridden: false,
    });
    expect(byModel.get("gpt-4o-mini")).toMatchObject({ needsConfirmation: true, calls: 0 });
    expect(JSON.parse(byModel.get("gpt-new")?.afterJson ?? "")).toEqual({
      input: 1,
      output: 4,
      bands: [{ above: 200_000, input: 2 }],
      tiers: { priority: { input: 2, output: 8 } },
    });
    expect(byModel.get("gpt-new")).toMatchObject({ beforeJson: "", factor: 0 });
    // The list has it no more: its calls would be refused.
    const missing = { afterJson: "", factor: 0, needsConfirmation: true, calls: 1, quota: 2800, newQuota: 0 };
    expect(byModel.get("o3")).toMatchObject(missing);
    expect([found.quota, found.newQuota, found.isPartial]).toEqual([12_600, 14_700, false]);
  });

  it("adopts some prices in one change, and large changes once they are confirmed", async () => {
    await apply({ "gpt-new": { input: 1, output: 4 } }, undefined);
    expect((await rulesInForce())["gpt-new"]).toEqual({ input: 1, output: 4 });
    const large = { "gpt-4o-mini": { input: 15, output: 60 } };
    await expect(apply(large, undefined)).rejects.toMatchObject({
      code: "catalogue_unconfirmed",
      params: { factor: "2", models: "gpt-4o-mini" },
    });
    expect((await rulesInForce())["gpt-4o-mini"]).toMatchObject({ input: 0.15 });
    await apply(large, true);
    expect((await rulesInForce())["gpt-4o-mini"]).toEqual({ input: 15, output: 60 });
  });

  it("removes models that a catalogue dropped, once that is confirmed, and restores them", async () => {
    await expect(apply({ "gpt-5.1": null }, undefined)).rejects.toMatchObject({
      code: "catalogue_unconfirmed",
      params: { models: "gpt-5.1" },
    });
    await apply({ "gpt-5.1": null }, true);
    expect((await rulesInForce())["gpt-5.1"]).toBeUndefined();
    const filter = { name: "gpt-5.1", key: "CatalogueRules", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 5 };
    const { items } = await world.priceBook.listPriceChanges(filter, admin);
    expect(items[0]?.after).toBeUndefined();
    expect(JSON.parse(items[0]?.before ?? "")).toMatchObject({ input: 1.25 });
    const change = { key: "CatalogueRules", value: undefined, reset: false, set: {}, remove: ["gpt-5.1"] };
    await world.priceBook.changePrices(
      { changes: [change], expectedRevision: undefined, isConfirmed: undefined },
      admin,
    );
    expect((await rulesInForce())["gpt-5.1"]).toMatchObject({ input: 1.25 });
    await expect(
      world.priceBook.changePrices(
        {
          changes: [{ key: "PriceRules", value: undefined, reset: false, set: { x: "null" }, remove: [] }],
          expectedRevision: undefined,
        },
        admin,
      ),
    ).rejects.toMatchObject({ code: "option_invalid" });
  });

  it("requires confirmation of large changes of tiers, bands, images or audio", async () => {
    const sonnet = (await rulesInForce())["claude-sonnet-4-5"];
    const flash = (await rulesInForce())["gemini-2.5-flash"];
    for (const [model, rule] of [
      ["claude-sonnet-4-5", { ...sonnet, cache_write: 20 }],
      ["claude-sonnet-4-5", { ...sonnet, tiers: {} }],
      ["gemini-2.5-flash", { ...flash, audio_input: 20 }],
      ["gpt-image-1", { ...(await rulesInForce())["gpt-image-1"], per_image: 4 }],
    ] as const)
      await expect(apply({ [model]: rule }, undefined)).rejects.toMatchObject({ params: { models: model } });
  });

  it("keeps what a source cannot express: tiers, bands, audio and cache writes", async () => {
    const inForce = (await rulesInForce())["gemini-2.5-flash"] ?? {};
    const same = { "gemini-2.5-flash": 0.15 };
    const completion = { "gemini-2.5-flash": 8.333333 };
    const unchanged = await compare({ data: { model_ratio: same, completion_ratio: completion } });
    expect(unchanged.differences.find(({ model }) => model === "gemini-2.5-flash")).toBeUndefined();
    const dearer = { model_name: "gemini-2.5-flash", quota_type: 0, model_ratio: 0.3, completion_ratio: 8.333333 };
    const { differences } = await compare({ data: [dearer] });
    const found = differences.find(({ model }) => model === "gemini-2.5-flash");
    expect(found?.factor).toBeCloseTo(2, 4);
    const after = JSON.parse(found?.afterJson ?? "") as PriceRules[string];
    expect(after).toMatchObject({ input: 0.6, audio_input: 2, tiers: { priority: { input: 1.08 } } });
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(inForce).toSorted());
  });

  it("reads the complete price of another Turnpike's price list", async () => {
    const rule = {
      input: 2,
      output: 8,
      cache_read: 0.5,
      audio_input: 32,
      audio_output: 64,
      reasoning: 10,
      bands: [{ above: 200_000, input: 4, output: 12, reasoning: 15 }],
      tiers: {
        priority: { input: 4, output: 16, bands: [{ above: 200_000, input: 9 }] },
        flex: { input: 1, output: 7 },
      },
      regions: { us: 1.1 },
    };
    await world.setOption(
      "PriceRules",
      JSON.stringify({ "house-d": rule, "house-e": { per_image: { low: 1, "*": 4 } } }),
    );
    const models = ["house-d", "house-e"];
    const { prices } = await world.prices.listPrices({ models, userGroup: "" });
    const data = prices.map((price) => ({
      model_name: price.modelName,
      quota_type: price.quotaType,
      model_ratio: price.modelRatio,
      completion_ratio: price.completionRatio,
      model_price: price.modelPrice,
      details: JSON.parse(price.detailsJson) as unknown,
    }));
    await world.setOption("PriceRules", "{}");
    const { differences } = await compare({ data });
    const read = (model: string): PriceRules[string] =>
      JSON.parse(differences.find((one) => one.model === model)?.afterJson ?? "") as PriceRules[string];
    expect(isSamePrice(read("house-d"), rule)).toBe(true);
    expect(read("house-e")).toEqual({ per_image: { low: 1, "*": 4 } });
  });

  it("reads the family's ratios and price lists, and models.dev", async () => {
    const ratio = (of: number) => ({ "house-a": of });
    const ratios = {
      data: {
        model_ratio: ratio(1.5),
        completion_ratio: ratio(4),
        cache_ratio: ratio(0.1),
        create_cache_ratio: ratio(1.5),
        image_ratio: ratio(2),
        audio_ratio: ratio(10),
        audio_completion_ratio: ratio(3),
        model_price: {},
        price_rules: { "house-w": { input: 1, output: 2, tiers: { flex: { input: 0.5 } }, per_search: 0.01 } },
      },
    };
    const pricing = { data: [{ model_name: "house-b", quota_type: 1, model_price: 0.02, model_ratio: 0 }] };
    const cost = { input: 1, output: 2, cache_read: 0.1, context_over_200k: { input: 2, output: 3 } };
    const dev = { openai: { models: { "house-c": { cost } } } };
    const findRule = async (content: unknown, source: string, model: string): Promise<unknown> => {
      const { differences } = await compare(content, source === "any" ? "file" : source);
      return JSON.parse(differences.find((one) => one.model === model)?.afterJson ?? "null");
    };
    expect(await findRule(ratios, "any", "house-a")).toEqual({
      input: 3,
      output: 12,
      cache_read: 0.3,
      cache_write: 4.5,
      image_input: 6,
      audio_input: 30,
      audio_output: 90,
    });
    expect(await findRule(ratios, "any", "house-w")).toEqual(ratios.data.price_rules["house-w"]);
    expect(await findRule(pricing, "any", "house-b")).toEqual({ per_call: 0.02 });
    expect(await findRule(dev, "any", "house-c")).toEqual({
      input: 1,
      output: 2,
      cache_read: 0.1,
      bands: [{ above: 200_000, input: 2, output: 3 }],
    });
  });

  it.each<[string, unknown, string]>([
    ["broken JSON", '{"a":', "position"],
    ["a list", "[]", "$"],
    ["no prices", "{}", "$"],
    ["a negative price", { m: { ...LIST["gpt-4.1"], input_cost_per_token: -1 } }, '["m"].input_cost_per_token'],
    ["a text for a ratio", { data: { model_ratio: { m: "1" } } }, "data.model_ratio.m"],
    ["a row without a name", { data: [{ quota_type: 0 }] }, "data[0].model_name"],
  ])("refuses %s with its place, and the prices in force stay", async (_, content, path) => {
    const before = await rulesInForce();
    await expect(compare(content)).rejects.toMatchObject({
      code: "catalogue_unreadable",
      params: { path: expect.stringContaining(path) as unknown },
    });
    expect(await rulesInForce()).toEqual(before);
  });

  it("refuses private addresses, unknown sources and users", async () => {
    const url = "http://127.0.0.1:8080/prices.json";
    await expect(compare("", "litellm", url)).rejects.toMatchObject({ code: "address_not_allowed" });
    await expect(compare("", "pricing", "")).rejects.toMatchObject({ code: "catalogue_unreachable" });
    await expect(compare("", "nobody")).rejects.toMatchObject({ code: "catalogue_unknown_source" });
    const request = { source: "file", url: "", content: "{}" };
    await expect(world.catalogues.compareCatalogue(request, actor(5))).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});
