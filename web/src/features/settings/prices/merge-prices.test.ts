import { describe, expect, it } from "vitest";
import { mergePrices } from "./merge-prices.ts";

const merge = (base: object, edited: object, current: object) => {
  const { value, conflicts } = mergePrices(JSON.stringify(base), JSON.stringify(edited), JSON.stringify(current));
  return { value: JSON.parse(value) as unknown, conflicts };
};

describe("mergePrices", () => {
  it("keeps the changes of both administrators where they concern different models", () => {
    expect(merge({ a: 1, b: 1, c: 1 }, { a: 2, b: 1 }, { a: 1, b: 3, c: 1, d: 4 })).toEqual({
      value: { a: 2, b: 3, d: 4 },
      conflicts: [],
    });
  });

  it("takes the edit where both changed a price, and names the model", () => {
    expect(merge({ a: 1, b: 1 }, { a: 2, b: 1 }, { a: 3, b: 1 })).toEqual({ value: { a: 2, b: 1 }, conflicts: ["a"] });
    expect(merge({ a: 1 }, {}, { a: 3 })).toEqual({ value: {}, conflicts: ["a"] });
    expect(merge({ a: 1 }, { a: 2 }, {})).toEqual({ value: { a: 2 }, conflicts: ["a"] });
  });

  it("reports no conflict where both made the same change", () => {
    expect(merge({ a: 1 }, { a: 2 }, { a: 2 })).toEqual({ value: { a: 2 }, conflicts: [] });
  });

  it("merges an option that is a single price", () => {
    expect(mergePrices("0.5", "0.6", "0.5")).toEqual({ value: "0.6", conflicts: [] });
    expect(mergePrices("0.5", "0.6", "0.7")).toEqual({ value: "0.6", conflicts: [""] });
  });
});
