import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import { getDay, drawReward } from "./check-in-rules.ts";

const optionsWith = (values: Record<string, string>) =>
  optionsInForce(Object.entries({ CheckInEnabled: "true", ...values }).map(([key, value]) => ({ key, value })));

describe("the check-in day", () => {
  it.each([
    ["", "2026-03-01T23:59:59Z", "2026-03-01"],
    ["", "2026-03-02T00:00:00Z", "2026-03-02"],
    ["Asia/Shanghai", "2026-03-01T15:59:59Z", "2026-03-01"],
    ["Asia/Shanghai", "2026-03-01T16:00:00Z", "2026-03-02"],
    ["America/New_York", "2026-12-31T23:00:00Z", "2026-12-31"],
    ["America/New_York", "2027-01-01T04:59:59Z", "2026-12-31"],
  ])("of %j in time zone %s is %s", (zone, at, day) => {
    expect(getDay(zone, new Date(at))).toBe(day);
  });
});

describe("the check-in reward", () => {
  it("is the fixed amount unless the upper bound is above it", () => {
    expect(drawReward(optionsWith({ CheckInQuota: "700", CheckInMaxQuota: "0" }))).toBe(700);
    expect(drawReward(optionsWith({ CheckInQuota: "700", CheckInMaxQuota: "700" }))).toBe(700);
    expect(drawReward(optionsWith({ CheckInQuota: "700", CheckInMaxQuota: "5" }))).toBe(700);
  });

  it("is any whole number within both bounds, the bounds included", () => {
    const seen = new Set(
      Array.from({ length: 400 }, () => drawReward(optionsWith({ CheckInQuota: "5", CheckInMaxQuota: "8" }))),
    );
    expect([...seen].toSorted((a, b) => a - b)).toEqual([5, 6, 7, 8]);
  });

  it("is refused while switched off, or with nothing to give", () => {
    expect(() => drawReward(optionsWith({ CheckInEnabled: "false" }))).toThrow(
      expect.objectContaining({ code: "check_in_disabled" }),
    );
    expect(() => drawReward(optionsWith({ CheckInQuota: "0", CheckInMaxQuota: "9" }))).toThrow(
      expect.objectContaining({ code: "check_in_misconfigured" }),
    );
  });
});
