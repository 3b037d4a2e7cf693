import { expect, it } from "vitest";
import { axisTicks, labelStride } from "./chart-scale.ts";

it("draws lines in round whole steps up to the largest bar", () => {
  expect(axisTicks(100)).toEqual([0, 25, 50, 75, 100]);
  expect(axisTicks(101)).toEqual([0, 50, 100, 150]);
  expect(axisTicks(1_234_567)).toEqual([0, 500_000, 1_000_000, 1_500_000]);
  expect(axisTicks(7)).toEqual([0, 2, 4, 6, 8]);
  expect(axisTicks(3)).toEqual([0, 1, 2, 3]);
});

it("draws two lines where there is nothing to show", () => {
  expect(axisTicks(0)).toEqual([0, 1]);
});

it("leaves labels out where they would touch", () => {
  expect(labelStride(7, 700, 60)).toBe(1);
  expect(labelStride(24, 700, 60)).toBe(3);
  expect(labelStride(24, 0, 60)).toBeGreaterThan(24);
});
