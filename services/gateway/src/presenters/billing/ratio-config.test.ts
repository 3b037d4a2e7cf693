import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { describe, expect, it } from "vitest";
import { createRatioConfigReader, toRatioConfig } from "./ratio-config.ts";

const rules = {
  "gpt-x": { input: 2, output: 8, tiers: { priority: { input: 4 } } },
  painter: { per_image: 0.04 },
  song: { per_call: 1 },
};
const rows = [
  // As billing returns them: the operator's entries stand over the built-in ones.
  { key: "ModelRatio", value: '{"gpt-x":2,"house":1}' },
  { key: "ModelPrice", value: '{"painter":0.04,"song":2}' },
  {
    key: CATALOGUE_ROW,
    value: JSON.stringify({ rules, own: { ModelRatio: { "gpt-x": 2, house: 1 }, ModelPrice: { song: 2 } } }),
  },
];

describe("published ratio list", () => {
  it("contains the family's tables and the complete rules, with the operator's ratios in them", () => {
    const config = toRatioConfig(rows);
    expect(config.model_ratio).toEqual({ "gpt-x": 2, house: 1 });
    expect(config.model_price).toEqual({ painter: 0.04, song: 2 });
    expect(Object.keys(config.price_rules).toSorted()).toEqual(["gpt-x", "painter"]);
    expect(config.price_rules["gpt-x"]).toMatchObject({ input: 4, output: 16, tiers: { priority: { input: 8 } } });
  });

  it("is read again after half a minute, and after a failure", async () => {
    let [now, reads, fails] = [0, 0, false];
    const getPriceBook = () => {
      reads++;
      return fails ? Promise.reject(new Error("down")) : Promise.resolve({ revision: reads, options: rows });
    };
    const read = createRatioConfigReader({ priceBook: { getPriceBook } as never }, () => now);
    await Promise.all([read({ requestId: "a" }), read({ requestId: "b" })]);
    expect(reads).toBe(1);
    [now, fails] = [30_000, true];
    await expect(read({ requestId: "c" })).rejects.toThrow("down");
    fails = false;
    await read({ requestId: "d" });
    expect(reads).toBe(3);
  });
});
