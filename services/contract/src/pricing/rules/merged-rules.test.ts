import { describe, expect, it } from "vitest";
import { mergeRule } from "./merged-rules.ts";
import type { PriceRule } from "./price-rule.ts";

const IN_FORCE: PriceRule = {
  input: 2,
  output: 8,
  cache_read: 0.5,
  cache_write: 2.5,
  audio_input: 32,
  bands: [{ above: 200_000, input: 4, output: 12, cache_read: 1 }],
  tiers: { priority: { input: 4, output: 16 } },
  regions: { us: 1.1 },
  per_search: 0.01,
};

describe("a price of a source that cannot express all parts", () => {
  it("leaves the price in force as it is where it states the same", () => {
    expect(mergeRule(IN_FORCE, { input: 2, output: 8, cache_read: 0.5 })).toEqual(IN_FORCE);
    // Ratios are rounded to six decimals.
    expect(mergeRule({ input: 0.3, output: 2.5 }, { input: 0.3, output: 0.3 * 8.333333 })).toEqual({
      input: 0.3,
      output: 2.5,
    });
    expect(mergeRule({ input: 2, output: 8 }, { input: 2, output: 8, cache_read: 2 })).toEqual({ input: 2, output: 8 });
  });

  it("keeps tiers, bands, regions, audio and cache writes, in proportion to what it states", () => {
    expect(mergeRule(IN_FORCE, { input: 3, output: 12 })).toEqual({
      ...IN_FORCE,
      input: 3,
      output: 12,
      cache_read: 0.75,
      cache_write: 3.75,
      audio_input: 48,
      bands: [{ above: 200_000, input: 6, output: 18, cache_read: 1.5 }],
      tiers: { priority: { input: 6, output: 24 } },
    });
  });

  it("replaces what it states, and its bands keep the kinds that they do not state", () => {
    const bands = [{ above: 200_000, input: 5, output: 13 }];
    expect(mergeRule(IN_FORCE, { input: 2, output: 8, cache_write: 5, audio_input: 40, bands })).toEqual({
      ...IN_FORCE,
      cache_write: 5,
      audio_input: 40,
      bands: [{ above: 200_000, input: 5, output: 13, cache_read: 1 }],
    });
  });

  it.each<[string, PriceRule, PriceRule, PriceRule]>([
    ["images", { per_image: { low: 1, high: 4 } }, { per_call: 4 }, { per_image: { low: 1, high: 4 } }],
    ["dearer images", { per_image: { low: 1, high: 4 } }, { per_call: 8 }, { per_image: { low: 2, high: 8 } }],
    ["seconds", { per_second: 0.0001 }, { input: 6, output: 6 }, { per_second: 0.0001 }],
    ["dearer seconds", { per_second: 0.0001 }, { input: 12 }, { per_second: 0.0002 }],
    ["characters", { per_character: 0.00001 }, { input: 10, output: 0 }, { per_character: 0.00001 }],
    ["another basis", { per_second: 0.0001 }, { input: 6, output: 24 }, { input: 6, output: 24 }],
    ["a call instead of tokens", { input: 2 }, { per_call: 1 }, { per_call: 1 }],
  ])("reads the family's form of %s", (_, inForce, stated, merged) => {
    expect(mergeRule(inForce, stated)).toEqual(merged);
  });
});
