import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { computeQuota, NO_USAGE } from "@turnpike/contract/pricing/quota";
import { describe, expect, it } from "vitest";
import { getTaskPrice } from "./task-price.ts";

const BUILT_IN = {
  [CATALOGUE_ROW]: JSON.stringify({
    rules: {
      mj_imagine: { per_call: 0.1 },
      suno_lyrics: { per_call: 0.01 },
      swap_face: { per_call: 0.05 },
      mj_upload: { per_call: 0.05 },
    },
  }),
};
const tables = (options: Record<string, string>) =>
  toPriceTables(optionsInForce(Object.entries({ ...BUILT_IN, ...options }).map(([key, value]) => ({ key, value }))));
const quota = (options: Record<string, string>, model: string, groupRatio = 1): number => {
  const of = tables(options);
  return computeQuota(getTaskPrice(of, model).price, groupRatio, of.quotaPerUnit, NO_USAGE);
};

describe("task price", () => {
  it.each<[string, Record<string, string>, string, number]>([
    ["the built-in one", {}, "mj_imagine", 50_000],
    ["the operator's", { ModelPrice: '{"mj_imagine":0.2}' }, "mj_imagine", 100_000],
    ["the built-in one where the operator's table has none", { ModelPrice: "{}" }, "suno_lyrics", 5_000],
    ["ten cents for what no table names", { ModelPrice: "{}" }, "mj_animate", 50_000],
    [
      "the built-in one where there is but a ratio",
      { ModelPrice: "{}", ModelRatio: '{"swap_face":30}' },
      "swap_face",
      25_000,
    ],
    [
      "the fallback price of a call",
      { ModelPrice: "{}", fallback_pricing_enabled: "true", fallback_single_price: "0.3" },
      "mj_animate",
      150_000,
    ],
    ["zero if the operator sets it", { ModelPrice: '{"mj_upload":0}' }, "mj_upload", 0],
  ])("is %s", (_, options, model, expected) => {
    expect(quota(options, model)).toBe(expected);
  });

  it("is multiplied by the group's ratio and rounded once", () => {
    expect(quota({ ModelPrice: '{"mj_imagine":0.000003}' }, "mj_imagine", 0.5)).toBe(1);
    expect(quota({}, "mj_imagine", 1.5)).toBe(75_000);
  });
});
