import { expect, it } from "vitest";
import { getCacheDollars, priceRows, withCacheDollars, withPrice } from "./price-rows.ts";

const tables = {
  modelRatio: { "gpt-4o": 1.25 },
  completionRatio: { "gpt-4o": 4 },
  modelPrice: { "dall-e-3": 0.04 },
  cacheRatio: { "gpt-4o": 0.5 },
};

it("shows prices in dollars and models without one", () => {
  expect(priceRows(tables, ["new-model"])).toEqual([
    { name: "dall-e-3", mode: "call", inputDollars: 0, outputDollars: 0, callDollars: 0.04 },
    { name: "gpt-4o", mode: "tokens", inputDollars: 2.5, outputDollars: 10, callDollars: 0, cacheRatio: 0.5 },
    { name: "new-model", mode: "unset", inputDollars: 0, outputDollars: 0, callDollars: 0 },
  ]);
});

it("turns dollars into ratios and clears the price per call", () => {
  const row = { name: "dall-e-3", mode: "tokens", inputDollars: 3, outputDollars: 15, callDollars: 0 } as const;
  const next = withPrice(tables, row);
  expect(next.modelRatio["dall-e-3"]).toBe(1.5);
  expect(next.completionRatio["dall-e-3"]).toBe(5);
  expect(next.modelPrice).toEqual({});
});

it("clears the ratios for a per-call price, and everything for no price", () => {
  const call = { name: "gpt-4o", mode: "call", inputDollars: 0, outputDollars: 0, callDollars: 0.1 } as const;
  expect(withPrice(tables, call)).toEqual({
    modelRatio: {},
    completionRatio: {},
    modelPrice: { "dall-e-3": 0.04, "gpt-4o": 0.1 },
    cacheRatio: { "gpt-4o": 0.5 },
  });
  expect(withPrice(tables, { ...call, mode: "unset" }).modelPrice).toEqual({ "dall-e-3": 0.04 });
});

it("keeps the share of cache reads when the input price changes, and takes one of its own", () => {
  const row = { name: "gpt-4o", mode: "tokens", inputDollars: 5, outputDollars: 10, callDollars: 0 } as const;
  const raised = { ...row, cacheRatio: 0.5 };
  expect(getCacheDollars(raised)).toBe(2.5);
  const next = withPrice(tables, withCacheDollars(raised, 0.5));
  expect([next.modelRatio["gpt-4o"], next.completionRatio["gpt-4o"], next.cacheRatio["gpt-4o"]]).toEqual([2.5, 2, 0.1]);
  expect(getCacheDollars(row)).toBe(5);
});
