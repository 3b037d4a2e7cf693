import { describe, expect, it } from "vitest";
import { OPTIONS } from "./option-definitions.ts";
import { applyPriceChanges, findPriceProblem, getPriceValue } from "./price-changes.ts";
import { getPriceDifferences, type PriceChange, toPriceChange } from "./price-differences.ts";
import { isPriceKey, PRICE_KEYS, PRICE_OPTIONS } from "./price-options.ts";
import { DOLLARS_PER_MILLION, QUOTA_PER_UNIT_DEFAULT } from "../pricing/dollars.ts";

describe("price options", () => {
  it("includes all prices and no other option", () => {
    expect(OPTIONS).toMatchObject(PRICE_OPTIONS);
    expect(isPriceKey("ResponseCacheRatio")).toBe(true);
    for (const key of ["SystemName", "QuotaPerUnit", "UserUsableGroups", "constructor"])
      expect(isPriceKey(key)).toBe(false);
  });

  it("makes ratio 1 two dollars per million tokens, and a token at that ratio one unit of quota", () => {
    expect(DOLLARS_PER_MILLION).toBe(2);
    expect(QUOTA_PER_UNIT_DEFAULT).toBe(500_000);
    expect(OPTIONS.QuotaPerUnit.default).toBe("500000");
  });
});

describe("price changes", () => {
  const stored = { ModelRatio: '{"a":1,"b":2}', ModelPrice: '{"c":0.1}' } as const;

  it("sets and removes entries of several tables at once and keeps the other entries", () => {
    const changes: PriceChange[] = [
      { key: "ModelRatio", set: { b: 3, d: 4 }, remove: ["a", "absent"] },
      { key: "ModelPrice", set: {}, remove: ["c"] },
      { key: "ResponseCacheRatio", value: " 0.25 " },
    ];
    expect(applyPriceChanges(stored, changes)).toEqual({
      values: { ModelRatio: '{"b":3,"d":4}', ModelPrice: "{}", ResponseCacheRatio: "0.25" },
    });
  });

  it("starts from the built-in table when none is stored, and a reset returns to it", () => {
    const set = applyPriceChanges({}, [{ key: "ModelRatio", set: { mine: 1 }, remove: [] }]);
    const values = "values" in set ? set.values : {};
    expect(JSON.parse(values.ModelRatio ?? "")).toEqual({ ...JSON.parse(PRICE_OPTIONS.ModelRatio.default), mine: 1 });
    const reset = applyPriceChanges(values, [{ key: "ModelRatio", reset: true }]);
    expect(reset).toEqual({ values: {} });
    expect(getPriceValue({}, "ModelRatio")).toBe(PRICE_OPTIONS.ModelRatio.default);
  });

  it("leaves a built-in table built in when no entry changes", () => {
    expect(applyPriceChanges({}, [{ key: "CacheRatio", set: {}, remove: ["absent"] }])).toEqual({ values: {} });
  });

  it("treats names that JavaScript objects inherit as ordinary entries", () => {
    const set = JSON.parse('{"__proto__":1}') as Record<string, unknown>;
    expect(applyPriceChanges(stored, [{ key: "ModelPrice", set, remove: [] }])).toEqual({
      values: { ...stored, ModelPrice: '{"c":0.1,"__proto__":1}' },
    });
  });

  it.each<[string, PriceChange, string]>([
    ["a negative ratio", { key: "ModelRatio", set: { fine: 1, "gpt-4.1": -1 }, remove: [] }, 'ModelRatio["gpt-4.1"]'],
    ["a text for a price", { key: "ModelPrice", value: '{"ok":1,"x":"1"}' }, 'ModelPrice["x"]'],
    ["a wrong group ratio", { key: "GroupGroupRatio", value: '{"vip":{"a":-1}}' }, 'GroupGroupRatio["vip"]'],
    ["an entry without a name", { key: "CacheRatio", set: { "": 1 }, remove: [] }, 'CacheRatio[""]'],
    ["broken JSON", { key: "ToolPrices", value: "{" }, "ToolPrices"],
    [
      "entries of an option that is not a table",
      { key: "fallback_single_price", set: { a: 1 }, remove: [] },
      "fallback_single_price",
    ],
    ["a share above 1", { key: "ResponseCacheRatio", value: "2" }, "ResponseCacheRatio"],
  ])("refuses all changes for %s, and names the entry", (_, wrong, path) => {
    const fine: PriceChange = { key: "AudioRatio", set: { a: 1 }, remove: [] };
    expect(applyPriceChanges(stored, [fine, wrong])).toMatchObject({ problem: { key: wrong.key, path } });
  });

  it("refuses changes that name an option twice", () => {
    const twice: PriceChange = { key: "ModelRatio", set: { a: 1 }, remove: [] };
    expect(applyPriceChanges(stored, [twice, twice])).toMatchObject({ problem: { path: "ModelRatio" } });
  });

  it("checks fallback prices that change together as a whole, and a single one alone", () => {
    const enabled: PriceChange = { key: "fallback_pricing_enabled", value: "true" };
    const input: PriceChange = { key: "fallback_input_ratio", value: "1" };
    expect(applyPriceChanges({}, [enabled, input])).toEqual({ problem: "fallback" });
    expect(applyPriceChanges({}, [enabled])).toHaveProperty("values");
    const completion: PriceChange = { key: "fallback_completion_ratio", value: "2" };
    expect(applyPriceChanges({}, [enabled, input, completion])).toHaveProperty("values");
  });

  it.each(PRICE_KEYS)("accepts the built-in default of %s", (key) => {
    expect(findPriceProblem(key, PRICE_OPTIONS[key].default)).toBeUndefined();
  });
});

describe("price option diff", () => {
  it("lists the prices that were set, changed or removed", () => {
    const before = JSON.stringify({ same: 1, gone: 2, raised: 3 });
    const after = JSON.stringify({ raised: 3.5, same: 1, fresh: 0 });
    expect(getPriceDifferences(before, after)).toEqual([
      { name: "fresh", before: undefined, after: "0" },
      { name: "gone", before: "2", after: undefined },
      { name: "raised", before: "3", after: "3.5" },
    ]);
    expect(toPriceChange("ModelRatio", before, after)).toEqual({
      key: "ModelRatio",
      set: { fresh: 0, raised: 3.5 },
      remove: ["gone"],
    });
  });

  it("has one line for an option that is a single number", () => {
    expect(getPriceDifferences("", "0.5")).toEqual([{ name: "", before: undefined, after: "0.5" }]);
    expect(getPriceDifferences("0.5", "0.5")).toEqual([]);
    expect(toPriceChange("fallback_single_price", "", "0.5")).toEqual({ key: "fallback_single_price", value: "0.5" });
  });

  it("shows tables within a table as text", () => {
    expect(getPriceDifferences("{}", '{"vip":{"cheap":0.5}}')).toEqual([
      { name: "vip", before: undefined, after: '{"cheap":0.5}' },
    ]);
  });
});
