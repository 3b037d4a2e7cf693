import { formatCents } from "@turnpike/contract/pricing/dollars";
import { describe, expect, it } from "vitest";
import { toMoneyCents, parseMoneyCents, toQuotaAmount, getTopUpRatio } from "./order-amounts.ts";

const dollars = (amount: number) => ({ amount, isCurrency: true, quotaPerUnit: 500_000 });
const units = (amount: number) => ({ amount, isCurrency: false, quotaPerUnit: 500_000 });

describe("price of an amount", () => {
  it.each([
    [dollars(1), 7.3, 1, 730],
    [dollars(10), 7.3, 1, 7_300],
    [dollars(1), 7.3, 0.8, 584],
    [dollars(3), 0.335, 1, 101],
    [dollars(1), 0.005, 1, 1],
    [dollars(1), 0.004, 1, 0],
    [dollars(1), 0.1, 0.7, 7],
    [dollars(7), 1.1, 1.1, 847],
    [dollars(100_000), 7.3, 1, 73_000_000],
    [units(500_000), 7.3, 1, 730],
    [units(1), 7.3, 1, 0],
    [units(342_466), 7.3, 1, 500],
    [units(250_000), 7.3, 0.5, 183],
  ])("converts %o at %d times %d to %d hundredths", (bought, price, ratio, cents) => {
    expect(toMoneyCents(bought, price, ratio)).toBe(cents);
  });

  it("converts to quota by the unit's value, or to the requested number of units", () => {
    expect(toQuotaAmount(dollars(3))).toBe(1_500_000);
    expect(toQuotaAmount(units(3))).toBe(3);
    expect(toQuotaAmount({ amount: 3, isCurrency: true, quotaPerUnit: 0.5 })).toBe(2);
  });

  it("uses the group's ratio, or 1 where there is none", () => {
    const ratios = { vip: 0.8, zero: 0 };
    expect(["vip", "zero", "other", "constructor"].map((group) => getTopUpRatio(ratios, group))).toEqual([
      0.8, 1, 1, 1,
    ]);
  });
});

describe("formatted money", () => {
  it.each([
    [0, "0.00"],
    [1, "0.01"],
    [730, "7.30"],
    [123_456, "1234.56"],
  ])("formats %d as %s", (cents, text) => {
    expect(formatCents(cents)).toBe(text);
    expect(parseMoneyCents(text)).toBe(cents);
  });

  it.each([
    ["7.3", 730],
    ["7", 700],
    ["7.300", 730],
    ["07.30", 730],
    ["7.301", undefined],
    ["-7.30", undefined],
    ["+7.30", undefined],
    ["7,30", undefined],
    ["7.30 ", undefined],
    ["7e2", undefined],
    [".5", undefined],
    ["", undefined],
    ["NaN", undefined],
  ])("reads %j as %s", (text, cents) => {
    expect(parseMoneyCents(text)).toBe(cents);
  });
});
