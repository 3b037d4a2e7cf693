import { describe, expect, it } from "vitest";
import { durationSeconds, parsePercent } from "./task-duration.ts";

describe("task duration", () => {
  it.each([
    [1_000, 13_340, 12.3],
    [1_000, 1_000, 0],
    [1_000, 0, undefined],
    [0, 5_000, undefined],
    [5_000, 4_000, undefined],
  ])("writes the time from %i to %i as %s", (from, to, seconds) => {
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
])("shows the progress %j as %s", (progress, percent) => {
  expect(parsePercent(progress)).toBe(percent);
});
