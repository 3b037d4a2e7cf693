import { describe, expect, it } from "vitest";
import { formatDollars, formatMilliseconds, formatQuota, formatRatio, formatRelative, formatShort } from "./format.ts";

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
  it("never shows something as nothing", () => {
    expect(formatDollars(0.0000002)).toBe("<$0.000001");
  });
  it("follows the site's switch", () => {
    expect(formatQuota(1, { quotaPerUnit: 500_000, inCurrency: true })).toBe("$0.000002");
    expect(formatQuota(1_234_567, { quotaPerUnit: 500_000, inCurrency: false })).toBe("1,234,567");
  });
});

describe("numbers", () => {
  it("are exact below ten thousand and shortened from there", () => {
    expect([9999, 10_000, 1_500_000, 2e9].map(formatShort)).toEqual(["9,999", "10k", "1.5M", "2B"]);
  });
  it("show ratios without trailing zeros", () => {
    expect([0, 1, 0.075, 37.5, 100].map(formatRatio)).toEqual(["0", "1", "0.075", "37.5", "100"]);
  });
  it("show short times in milliseconds and long ones in seconds", () => {
    expect([820, 1320, 60_000].map(formatMilliseconds)).toEqual(["820 ms", "1.32 s", "60 s"]);
  });
});

describe("relative time", () => {
  it("takes the largest unit that fits, both ways", () => {
    expect(formatRelative(1000, 1000 + 7200, "en")).toBe("2 hr. ago");
    expect(formatRelative(1000 + 86_400 * 3, 1000, "en")).toBe("in 3 days");
    expect(formatRelative(1000, 1010, "en")).toBe("now");
  });
});
