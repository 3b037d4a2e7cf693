import { describe, expect, it } from "vitest";
import { DEFAULT_COST, findCostPrice, findCostProblem, readChannelCost, toQuotaUnits } from "./channel-cost.ts";

describe("cost side of a channel", () => {
  it.each([
    [{ source: "catalogue" }],
    [{ source: "catalogue", factor: 0 }],
    [{ source: "reported", factor: 7.1 }],
    [{ source: "reseller", group: "vip", factor: 0.3 }],
    [{ source: "table", prices: { "gpt-5": { input: 1, output: 8, tiers: { flex: { input: 0.5 } } } } }],
  ])("accepts %j", (cost) => expect(findCostProblem(cost)).toBeUndefined());

  it.each([
    [{}, "source"],
    [{ source: "invoice" }, "source"],
    [{ source: "catalogue", factor: -1 }, "factor"],
    [{ source: "catalogue", factor: 1e9 }, "factor"],
    [{ source: "catalogue", factor: "1" }, "factor"],
    [{ source: "catalogue", discount: 1 }, "discount"],
    [{ source: "catalogue", group: "vip" }, "group"],
    [{ source: "reseller", prices: { a: { input: 1 } } }, "prices"],
    [{ source: "table" }, "prices"],
    [{ source: "table", prices: {} }, "prices"],
    [{ source: "table", prices: { "gpt-5": { input: -1 } } }, 'prices["gpt-5"].input'],
    [
      { source: "table", prices: { m: { input: 1, bands: [{ above: 2 }, { above: 1 }] } } },
      'prices["m"].bands[1].above',
    ],
  ])("refuses %j and names the place", (cost, path) => expect(findCostProblem(cost)?.path).toBe(path));

  it("is the catalogue's price where none is set, and unknown text is none", () => {
    expect(readChannelCost(" ")).toBe(DEFAULT_COST);
    expect(readChannelCost("{")).toBeUndefined();
    expect(readChannelCost('{"source":"x"}')).toBeUndefined();
  });

  it("looks a price up under upstream's name first", () => {
    const prices = { sold: { input: 8 }, bought: { input: 2 } };
    expect(findCostPrice(prices, "bought", "sold")?.name).toBe("bought");
    expect(findCostPrice(prices, "deployment-7", "sold")?.name).toBe("sold");
    expect(findCostPrice(prices, "deployment-7", "unknown")).toBeUndefined();
  });

  it("converts dollars to quota units exactly, rounded once", () => {
    expect(toQuotaUnits(0.0037756, 1, 500_000)).toBe(1_888);
    expect(toQuotaUnits(0.000003, 0.5, 500_000)).toBe(1);
    expect(toQuotaUnits(0.000001, 0.5, 500_000)).toBe(0);
    expect(toQuotaUnits(0, 1, 500_000)).toBe(0);
  });
});
