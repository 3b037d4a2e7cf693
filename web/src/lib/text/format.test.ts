import { describe, expect, it } from "vitest";
import {
  formatDollars,
  formatDollarSum,
  formatAxisDollars,
  formatMilliseconds,
  formatQuota,
  formatRatio,
  formatRelative,
  formatShort,
  formatPrice,
} from "./format.ts";

describe("money", () => {
  it("has at most six decimals and no trailing zeros", () => {
    expect(formatDollars(1.2345678)).toBe("$1.234568");
    expect(formatDollars(12)).toBe("$12");
    expect(formatDollars(0)).toBe("$0");
    expect(formatDollars(1234.5)).toBe("$1,234.50");
    expect(formatDollars(100)).toBe("$100");
  });
  it("keeps the sign before the dollar", () => {
    expect(formatDollars(-0.5)).toBe("-$0.50");
  });
  it("never shows a value above 0 as 0", () => {
    expect(formatDollars(0.0000002)).toBe("<$0.000001");
  });
  it("follows the site's switch", () => {
    expect(formatQuota(1, { quotaPerUnit: 500_000, inCurrency: true })).toBe("$0.000002");
    expect(formatQuota(1_234_567, { quotaPerUnit: 500_000, inCurrency: false })).toBe("1,234,567");
  });
});

describe("axis of dollars", () => {
  // The ticks that the chart puts on axes whose largest sums are 4, 2 000, 500 000 and a billion quota units.
  it.each([
    [
      [0, 1, 2, 3, 4],
      ["$0", "$0.000002", "$0.000004", "$0.000006", "$0.000008"],
    ],
    [
      [0, 500, 1_000, 1_500, 2_000],
      ["$0", "$0.001", "$0.002", "$0.003", "$0.004"],
    ],
    [
      [0, 150_000, 300_000, 450_000, 600_000],
      ["$0", "$0.3", "$0.6", "$0.9", "$1.2"],
    ],
    [
      [0, 2.5e9, 5e9, 7.5e9, 1e10],
      ["$0", "$5,000", "$10k", "$15k", "$20k"],
    ],
  ])("has labels that differ for %j quota units", (ticks, labels) => {
    expect(ticks.map((quota) => formatAxisDollars(quota / 500_000))).toEqual(labels);
  });
});

describe("numbers", () => {
  it("shows numbers exactly below ten thousand and shortened above", () => {
    expect([9999, 10_000, 1_500_000, 2e9].map(formatShort)).toEqual(["9,999", "10k", "1.5M", "2B"]);
  });
  it("shows ratios without trailing zeros", () => {
    expect([0, 1, 0.075, 37.5, 100].map(formatRatio)).toEqual(["0", "1", "0.075", "37.5", "100"]);
  });
  it("shows short times in milliseconds and long ones in seconds", () => {
    expect([820, 1320, 60_000].map(formatMilliseconds)).toEqual(["820 ms", "1.32 s", "60 s"]);
    expect([0, 0.25, 0.5, 3.4].map(formatMilliseconds)).toEqual(["0 ms", "0.25 ms", "0.5 ms", "3.4 ms"]);
  });
});

describe("relative time", () => {
  it("uses the largest unit that fits, in both directions", () => {
    expect(formatRelative(1000, 1000 + 7200, "en")).toBe("2 hr. ago");
    expect(formatRelative(1000 + 86_400 * 3, 1000, "en")).toBe("in 3 days");
    expect(formatRelative(1000, 1010, "en")).toBe("now");
  });
});

it("rounds sums to cents from a dollar on", () => {
  expect([91.818946, 38.159304, 1, 200, -2.345, 0.0123456, 0, 1_234_567.891].map(formatDollarSum)).toEqual([
    "$91.82",
    "$38.16",
    "$1",
    "$200",
    "-$2.35",
    "$0.012346",
    "$0",
    "$1,234,567.89",
  ]);
});

it("shows a price from ratios without the noise of their decimals", () => {
  expect([0.15 * 16.66666, 0.3 * 8.333333, 0.075, 1.25, 0].map(formatPrice)).toEqual([
    "$2.50",
    "$2.50",
    "$0.075",
    "$1.25",
    "$0",
  ]);
});
