import { expect, it } from "vitest";
import { computeImageQuota } from "./image-price.ts";
import type { ModelPrice } from "./price-book.ts";

const price = (given: Partial<ModelPrice>): ModelPrice => ({
  mode: "tokens",
  rule: "model",
  name: "m",
  modelRatio: 0,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1,
  cacheWriteLongRatio: 2,
  imageRatio: 1,
  audioRatio: 1,
  audioCompletionRatio: 2,
  toolPrices: {},
  modelPrice: -1,
  ...given,
});
const byCall = (dollars: number): ModelPrice => price({ mode: "call", modelPrice: dollars });

it.each<[string, ModelPrice, { readonly groupRatio: number; readonly units: number }, number]>([
  ["one plain image of 4 cents", byCall(0.04), { groupRatio: 1, units: 1 }, 20_000],
  ["three large fine ones", byCall(0.04), { groupRatio: 1, units: 9 }, 180_000],
  ["a small one in a cheap group", byCall(0.02), { groupRatio: 0.8, units: 0.4 }, 3_200],
  ["by ratio: a quarter of a cent times the ratio", price({ modelRatio: 8 }), { groupRatio: 1, units: 1 }, 10_000],
  ["by ratio: never nothing", price({ modelRatio: 0.0001 }), { groupRatio: 1, units: 0.4 }, 1],
  ["a free model", price({ modelRatio: 0 }), { groupRatio: 1, units: 1 }, 0],
  ["no float gets in", byCall(0.1), { groupRatio: 1, units: 1.35 }, 67_500],
])("%s", (_, of, { groupRatio, units }, quota) => {
  expect(computeImageQuota(of, groupRatio, 500_000, units)).toBe(quota);
});
