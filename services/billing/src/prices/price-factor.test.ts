import type { PriceRule } from "@turnpike/contract/pricing/rules/price-rule";
import { describe, expect, it } from "vitest";
import { getPriceFactor, UNBOUNDED_FACTOR } from "./price-factor.ts";

const RULE: PriceRule = {
  input: 2,
  output: 8,
  cache_read: 0.5,
  bands: [{ above: 200_000, input: 4, output: 12 }],
  tiers: { priority: { input: 4, output: 16 }, flex: { input: 1, output: 4 } },
};

describe("price factor", () => {
  it.each<[string, PriceRule, PriceRule, number]>([
    ["equal prices", RULE, { ...RULE }, 1],
    ["the input", { input: 2, output: 8 }, { input: 6, output: 8 }, 3],
    ["cache writes", { input: 2, cache_write: 2.5 }, { input: 2, cache_write: 12.5 }, 5],
    ["hour-long cache writes", { input: 2, cache_write_1h: 4 }, { input: 2, cache_write_1h: 12 }, 3],
    ["audio", { input: 2, audio_input: 2, audio_output: 4 }, { input: 2, audio_input: 40, audio_output: 4 }, 20],
    ["audio without a price of its own", { input: 2, audio_input: 40, audio_output: 2 }, { input: 2 }, 20],
    ["reasoning", { input: 2, output: 8 }, { input: 2, output: 8, reasoning: 24 }, 3],
    ["a band", RULE, { ...RULE, bands: [{ above: 200_000, input: 0.4, output: 1.2 }] }, 10],
    ["a new band", { input: 2, output: 8 }, { input: 2, output: 8, bands: [{ above: 200_000, input: 6 }] }, 3],
    ["a dropped band", RULE, { ...RULE, bands: [] }, UNBOUNDED_FACTOR],
    ["a moved band", RULE, { ...RULE, bands: [{ above: 272_000, input: 4, output: 12 }] }, UNBOUNDED_FACTOR],
    ["a tier", RULE, { ...RULE, tiers: { ...RULE.tiers, flex: { input: 0.1, output: 4 } } }, 10],
    ["a new tier", { input: 2 }, { input: 2, tiers: { flex: { input: 0.5 } } }, 4],
    ["a dropped tier", RULE, { ...RULE, tiers: { flex: { input: 1, output: 4 } } }, UNBOUNDED_FACTOR],
    ["a region", { input: 2, regions: { us: 1.1 } }, { input: 2, regions: { us: 3.3 } }, 3],
    ["a dropped region", { input: 2, regions: { us: 3 } }, { input: 2 }, 3],
    ["a region and a rate together", { input: 2 }, { input: 3, regions: { us: 2 } }, 3],
    ["a call", { per_call: 0.1 }, { per_call: 0.4 }, 4],
    ["an image", { per_image: 0.04 }, { per_image: 0.4 }, 10],
    ["an image of one kind", { per_image: { low: 1, high: 4 } }, { per_image: { low: 1, high: 12 } }, 3],
    ["images by kind at one price", { per_image: { low: 1, high: 4 } }, { per_image: 2 }, 2],
    ["a second", { per_second: 0.0001 }, { per_second: 0.001 }, 10],
    ["a character", { per_character: 0.00001 }, { per_character: 0.0001 }, 10],
    ["a page in addition to tokens", { input: 2, per_page: 0.001 }, { input: 2, per_page: 0.004 }, 4],
    ["a search", { input: 2, per_search: 0.01 }, { input: 2, per_search: 0.03 }, 3],
    ["a price that ends", { input: 2, per_search: 0.01 }, { input: 2 }, UNBOUNDED_FACTOR],
    ["another basis", { input: 2 }, { per_call: 2 }, UNBOUNDED_FACTOR],
    ["a price that becomes free", { input: 2 }, { input: 0 }, UNBOUNDED_FACTOR],
  ])("compares %s", (_, before, after, factor) => {
    expect(getPriceFactor(before, after) / factor).toBeCloseTo(1, 9);
  });
});
