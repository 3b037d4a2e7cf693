import { describe, expect, it } from "vitest";
import { type BudgetPeriod, getPeriodEnd, getPeriodStart } from "./budget-period.ts";

describe("budget period", () => {
  // 2026-11-21 is a Saturday.
  it.each<[BudgetPeriod, string, string]>([
    ["day", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"],
    ["day", "2026-11-21T23:59:59Z", "2026-11-22T00:00:00Z"],
    ["day", "2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"],
    ["week", "2026-11-21T12:00:00Z", "2026-11-23T00:00:00Z"],
    ["week", "2026-11-22T23:59:59Z", "2026-11-23T00:00:00Z"],
    ["week", "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"],
    ["week", "2026-11-24T00:00:00Z", "2026-11-30T00:00:00Z"],
    ["month", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"],
    ["month", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"],
    ["month", "2028-02-29T10:00:00Z", "2028-03-01T00:00:00Z"],
  ])("ends the %s that contains %s at %s", (period, at, end) => {
    expect(getPeriodEnd(period, Date.parse(at) / 1000)).toBe(Date.parse(end) / 1000);
  });

  it.each<[BudgetPeriod, string, string]>([
    ["day", "2026-11-21T23:59:59Z", "2026-11-21T00:00:00Z"],
    ["week", "2026-11-21T12:00:00Z", "2026-11-16T00:00:00Z"],
    ["week", "2026-11-22T23:59:59Z", "2026-11-16T00:00:00Z"],
    ["week", "2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z"],
    ["week", "2026-12-01T00:00:00Z", "2026-11-30T00:00:00Z"],
    ["month", "2026-12-31T23:59:59Z", "2026-12-01T00:00:00Z"],
  ])("begins the %s that contains %s at %s", (period, at, start) => {
    expect(getPeriodStart(period, Date.parse(at) / 1000)).toBe(Date.parse(start) / 1000);
  });
});
