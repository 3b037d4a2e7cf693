import { expect, it } from "vitest";
import { listRuleChanges, toRuleDetails } from "./rule-fields.ts";

const rule = {
  input: 2,
  output: 10,
  cache_read: 0.2,
  bands: [{ above: 272_000, input: 4, output: 15 }],
  tiers: { priority: { input: 4, output: 20, bands: [{ above: 272_000, input: 8 }] } },
  regions: { eu: 1.1 },
  per_image: { "1k": 0.04 },
  per_search: 0.01,
};

it("finds a change of a cache price, a band, a tier, a band of a tier, a region, an image and a search", () => {
  const after = {
    ...rule,
    cache_read: 0.3,
    bands: [{ above: 272_000, input: 5, output: 15 }],
    tiers: { priority: { input: 4, output: 25, bands: [{ above: 272_000, input: 9 }] } },
    regions: { eu: 1.2 },
    per_image: { "1k": 0.05, "2k": 0.06 },
    per_search: 0.02,
  };
  const changes = listRuleChanges(rule, after).map(({ tier, above, field, variant, before, after: now }) => [
    [tier, above, field, variant].join("|"),
    before,
    now,
  ]);
  expect(changes).toEqual([
    ["|0|cache_read|", 0.2, 0.3],
    ["|272000|input|", 4, 5],
    ["priority|0|output|", 20, 25],
    ["priority|272000|input|", 8, 9],
    ["|0|per_search|", 0.01, 0.02],
    ["|0|per_image|1k", 0.04, 0.05],
    ["|0|per_image|2k", undefined, 0.06],
    ["|0|regions|eu", 1.1, 1.2],
  ]);
});

it("finds what was removed, and nothing in equal rules", () => {
  expect(listRuleChanges(rule, rule)).toEqual([]);
  expect(listRuleChanges(rule, { input: 2, output: 10, cache_read: 0.2 })).toHaveLength(8);
});

it("shows a rule as the price list does: a row for each tier and length", () => {
  expect(toRuleDetails(rule)).toMatchObject({
    prices: [
      { tier: "", above: 0, rates: { input: 2, output: 10, cache_read: 0.2 } },
      { tier: "", above: 272_000, rates: { input: 4, output: 15 } },
      { tier: "priority", above: 0, rates: { input: 4, output: 20 } },
      { tier: "priority", above: 272_000, rates: { input: 8 } },
    ],
    regions: { eu: 1.1 },
    pieces: { "per_image 1k": 0.04, per_search: 0.01 },
  });
});
