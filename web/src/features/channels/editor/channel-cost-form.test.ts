import { describe, expect, it } from "vitest";
import { findCostValuesProblem, toCostText, toCostValues } from "./channel-cost-form.ts";

const DEFAULT = toCostValues("");

describe("cost side in the editor", () => {
  it.each([
    "",
    '{"source":"catalogue","factor":0.8}',
    '{"source":"reported"}',
    '{"source":"reseller","factor":2,"group":"vip"}',
    '{"source":"table","prices":{"gpt-5":{"input":1}}}',
  ])("is saved as it was stored: %s", (stored) => {
    expect(toCostText(toCostValues(stored))).toBe(stored);
    expect(findCostValuesProblem(toCostValues(stored))).toBeUndefined();
  });

  it("names the field and the place of what is wrong", () => {
    const wrong = { ...DEFAULT, cost_source: "table", cost_prices: '{"gpt-5":{"input":-1}}' } as const;
    expect(findCostValuesProblem(wrong)).toMatchObject({
      field: "cost_prices",
      message: expect.stringContaining('prices["gpt-5"].input') as string,
    });
    expect(findCostValuesProblem({ ...wrong, cost_prices: "{" })).toMatchObject({ field: "cost_prices" });
    expect(findCostValuesProblem({ ...DEFAULT, cost_factor: -1 })).toMatchObject({ field: "cost_factor" });
    expect(findCostValuesProblem({ ...DEFAULT, cost_factor: Number.NaN })).toMatchObject({ field: "cost_factor" });
  });
});
