import { describe, expect, it } from "vitest";
import { FallbackPricingBody, isFallbackPricingValid } from "./fallback-pricing.ts";

const isValid = (form: object): boolean =>
  isFallbackPricingValid(FallbackPricingBody.parse({ enabled: true, ...form }));

describe("fallback pricing", () => {
  it.each([
    [{ single_price: 0.5 }, true],
    [{ input_ratio: 1, completion_ratio: 2 }, true],
    [{ input_ratio: "1", completion_ratio: "2", single_price: "" }, true],
    [{ enabled: "true", input_ratio: "1", completion_ratio: "2" }, true],
    [{ enabled: "true" }, false],
    [{ enabled: "false", input_ratio: "1" }, true],
    [{ single_price: 0.5, input_ratio: 1 }, false],
    [{ input_ratio: 1 }, false],
    [{ completion_ratio: 1 }, false],
    [{}, false],
  ])("accepts %j: %s", (form, expected) => {
    expect(isValid(form)).toBe(expected);
  });
  it("accepts anything while it is disabled", () => {
    expect(isValid({ enabled: false, single_price: 1, input_ratio: 1 })).toBe(true);
  });
});
