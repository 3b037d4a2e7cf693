import { expect, it } from "vitest";
import { formatAmount, readDollars, toUnits, toUnitsBelow } from "./dollars.ts";

it.each([
  ["0.1", "0.1", 50_000],
  ["1.25e-05", "0.0000125", 6],
  ["1.2000000000000001e-05", "0.000012000000000000001", 6],
  ["100", "100", 50_000_000],
  ["-0.5", "-0.5", -250_000],
  ["1e3", "1000", 500_000_000],
  ["0.000001", "0.000001", 1],
  [".5", "0.5", 250_000],
])("reads %s without floating point", (text, decimal, units) => {
  const dollars = readDollars(text) ?? 0n;
  expect(formatAmount(dollars)).toBe(decimal);
  expect(toUnits(dollars, 500_000)).toBe(units);
});

it("rounds halves away from zero, and what an amount buys down", () => {
  const [up, down] = [readDollars("0.000003") ?? 0n, readDollars("-0.000003") ?? 0n];
  expect([toUnits(up, 500_000), toUnits(down, 500_000)]).toEqual([2, -2]);
  expect([toUnitsBelow(up, 500_000), toUnitsBelow(down, 500_000)]).toEqual([1, -2]);
});

it("knows what is no amount", () => {
  for (const text of [null, undefined, "", "NaN", "Infinity", "1.2.3", "."]) expect(readDollars(text)).toBeUndefined();
});
