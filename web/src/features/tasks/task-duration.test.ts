import { describe, expect, it } from "vitest";
import { durationSeconds, parsePercent } from "./task-duration.ts";

describe("how long a task took", () => {
  it.each([
    [1_000, 13_340, 12.3],
    [1_000, 1_000, 0],
    [1_000, 0, undefined],
    [0, 5_000, undefined],
    [5_000, 4_000, undefined],
  ])("from %i to %i is %s", (from, to, seconds) => {
    expect(durationSeconds(from, to)).toBe(seconds);
  });
});

it.each([
  ["0%", 0],
  ["40%", 40],
  ["100%", 100],
  ["250%", 100],
  ["", undefined],
  ["half", undefined],
])("the progress %j is %s", (progress, percent) => {
  expect(parsePercent(progress)).toBe(percent);
});
