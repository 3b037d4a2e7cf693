import { findRuleProblem } from "@turnpike/contract/pricing/rules/price-rule";
import { expect, it } from "vitest";
import { toListedRule } from "./listed-rule.ts";

it("keeps bands, tiers, regions and pieces of the price in force", () => {
  const rule = toListedRule({
    prices: [
      { tier: "", above: 0, rates: { input: 2, output: 10 } },
      { tier: "", above: 200_000, rates: { input: 4, output: 15 } },
      { tier: "flex", above: 0, rates: { input: 1, output: 5 } },
      { tier: "flex", above: 200_000, rates: { input: 2, output: 7.5 } },
    ],
    regions: { eu: 1.1 },
    pieces: { "image *": 0.04, page: 0.002 },
    facts: {},
  });
  expect(rule).toEqual({
    input: 2,
    output: 10,
    bands: [{ above: 200_000, input: 4, output: 15 }],
    tiers: { flex: { input: 1, output: 5, bands: [{ above: 200_000, input: 2, output: 7.5 }] } },
    regions: { eu: 1.1 },
    per_image: { "*": 0.04 },
    per_page: 0.002,
  });
  expect(findRuleProblem(rule)).toBeUndefined();
});
