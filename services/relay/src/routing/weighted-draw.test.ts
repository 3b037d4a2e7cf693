import { expect, it } from "vitest";
import type { RoutedChannel } from "../core/call/channel.ts";
import { drawChannel } from "./weighted-draw.ts";

const toTier = (...weights: number[]): RoutedChannel[] =>
  weights.map((weight, index) => ({ id: index + 1, weight }) as RoutedChannel);

it("draws channels in proportion to their weights, ten added to each", () => {
  const tier = toTier(0, 30, 10, 0);
  const counts = new Map<number, number>();
  const draws = 8_000;
  for (let index = 0; index < draws; index++) {
    const id = drawChannel(tier, index / draws)?.id ?? 0;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  // Weights 10, 40, 20 and 10 of 80.
  expect([...counts]).toEqual([
    [1, 1_000],
    [2, 4_000],
    [3, 2_000],
    [4, 1_000],
  ]);
});

it("draws from tiers of one channel and of none", () => {
  expect(drawChannel(toTier(5), 0.999)?.id).toBe(1);
  expect(drawChannel([], 0.5)).toBeUndefined();
});
