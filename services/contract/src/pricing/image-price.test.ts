import { expect, it } from "vitest";
import { computeImageQuota, getImagePrice } from "./image-price.ts";
import { type FlatPrice, priceByCall } from "./model-price.ts";

const price = (given: Partial<FlatPrice>): FlatPrice => ({ ...priceByCall(-1), mode: "tokens", ...given });
const byCall = (dollars: number): FlatPrice => price({ mode: "call", modelPrice: dollars });

it.each<[string, FlatPrice, { readonly groupRatio: number; readonly units: number }, number]>([
  ["one plain image at 4 cents", byCall(0.04), { groupRatio: 1, units: 1 }, 20_000],
  ["three large images of high quality", byCall(0.04), { groupRatio: 1, units: 9 }, 180_000],
  ["a small image in a cheap group", byCall(0.02), { groupRatio: 0.8, units: 0.4 }, 3_200],
  ["by ratio: a quarter of a cent times the ratio", price({ modelRatio: 8 }), { groupRatio: 1, units: 1 }, 10_000],
  ["by ratio: at least 1", price({ modelRatio: 0.0001 }), { groupRatio: 1, units: 0.4 }, 1],
  ["a free model", price({ modelRatio: 0 }), { groupRatio: 1, units: 1 }, 0],
  ["no floating-point error", byCall(0.1), { groupRatio: 1, units: 1.35 }, 67_500],
])("%s", (_, of, { groupRatio, units }, quota) => {
  expect(computeImageQuota(of, groupRatio, 500_000, units)).toBe(quota);
});

it("charges an image the price of its resolution, and an unknown resolution the highest price", () => {
  const prices = { "1k": 0.04, "2k": 0.06, "low/1024x1024": 0.03 };
  const kind = { quality: "low", size: "1024x1024" };
  expect(getImagePrice(prices, { ...kind, resolution: "2k" })).toEqual({ dollars: 0.06, kind: "2k" });
  expect(getImagePrice(prices, { quality: "", size: "", resolution: "8k" })).toEqual({ dollars: 0.06 });
  expect(getImagePrice({ "low/1024x1024": 0.03 }, { ...kind, resolution: "1k" }).dollars).toBe(0.03);
});
