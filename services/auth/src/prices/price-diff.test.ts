import { describe, expect, it } from "vitest";
import { isPriceOption, priceDifferences } from "./price-diff.ts";

describe("the differences between two values of a price option", () => {
  it("are the figures that were set, changed or taken away", () => {
    const before = JSON.stringify({ same: 1, gone: 2, raised: 3 });
    const after = JSON.stringify({ raised: 3.5, same: 1, fresh: 0 });
    expect(priceDifferences(before, after)).toEqual([
      { name: "fresh", before: undefined, after: "0" },
      { name: "gone", before: "2", after: undefined },
      { name: "raised", before: "3", after: "3.5" },
    ]);
  });

  it("are one line for an option that is a single figure", () => {
    expect(priceDifferences("", "0.5")).toEqual([{ name: "", before: undefined, after: "0.5" }]);
    expect(priceDifferences("0.5", "0.5")).toEqual([]);
  });

  it("show tables within a table as their text", () => {
    expect(priceDifferences("{}", '{"vip":{"cheap":0.5}}')).toEqual([
      { name: "vip", before: undefined, after: '{"cheap":0.5}' },
    ]);
  });
});

it("a site's name is no price", () => {
  expect(isPriceOption("SystemName")).toBe(false);
  expect(isPriceOption("ModelRatio")).toBe(true);
});
