import type { ReportDifference } from "@turnpike/contract/api/channels/provider-report";
import { describe, expect, it } from "vitest";
import { getReportState, sumDifferences } from "./report-state.ts";

const CENT = 10_000_000;
const difference = (reason: ReportDifference["reason"], cost: number | null): ReportDifference => ({
  reason,
  model: "m",
  kind: "input",
  tier: "",
  counted_as: "",
  tokens: 1,
  cost,
});
const day = (reportedCost: number, differences: readonly ReportDifference[] = [], failures = 0) => ({
  _id: "1:0",
  channelId: 1,
  day: 0,
  checkedAtMs: 0,
  failures,
  nextTryAtMs: 0,
  problem: failures > 0 ? "HTTP 503" : "",
  calls: 1,
  estimatedCalls: 0,
  tokens: 1,
  reportedTokens: 1,
  cost: reportedCost,
  reportedCost,
  differences,
});

describe("state of a compared day", () => {
  it("counts differences of both signs, and no rounding", () => {
    const found = [difference("cache", CENT), difference("price", -CENT), difference("rounding", 9 * CENT)];
    expect(sumDifferences(day(0, found))).toBe(2 * CENT);
  });

  it("is different above a cent and above a hundredth of the bill", () => {
    expect(getReportState(day(100, [difference("unseen", CENT)]))).toBe("equal");
    expect(getReportState(day(100, [difference("unseen", CENT + 1)]))).toBe("different");
    expect(getReportState(day(1000 * CENT, [difference("unseen", 10 * CENT)]))).toBe("equal");
    expect(getReportState(day(1000 * CENT, [difference("unseen", 10 * CENT + 1)]))).toBe("different");
  });

  it("is failing after three failures in a row, whatever the last comparison found", () => {
    const found = [difference("unseen", 5 * CENT)];
    expect(getReportState(day(100, found, 2))).toBe("different");
    expect(getReportState(day(100, found, 3))).toBe("failing");
    expect(getReportState(undefined)).toBe("equal");
  });
});
