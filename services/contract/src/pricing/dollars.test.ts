import { expect, it } from "vitest";
import { formatDollars } from "./dollars.ts";

it.each([
  [0, 500_000, "0"],
  [1, 500_000, "0.000002"],
  [173, 500_000, "0.000346"],
  [500_000, 500_000, "1"],
  [Math.floor(Number.MAX_SAFE_INTEGER / 1_000), 500_000, "18014398.50948"],
  [1, 30_000_000, "0.000000033333"],
  [3, 1.5, "2"],
])("writes quota as exact dollars: %i of %d per dollar is %s", (quota, perUnit, dollars) => {
  expect(formatDollars(quota, perUnit)).toBe(dollars);
});
