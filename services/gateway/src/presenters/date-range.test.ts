import { describe, expect, it } from "vitest";
import { toDateRange } from "./date-range.ts";

describe("toDateRange", () => {
  it.each([
    ["", "", 0, 0],
    ["1700000000", "1700000100", 1_700_000_000, 1_700_000_100],
    ["2023-11-14", "2023-11-14", 1_699_920_000, 1_700_006_399],
    ["2023-11-14T22:13:20Z", "", 1_700_000_000, 0],
    ["2023-11-15T06:13:20+08:00", "1700000000000", 1_700_000_000, 1_700_000_000],
  ])("reads %s to %s", (start, end, startSeconds, endSeconds) => {
    expect(toDateRange(start, end)).toEqual({ startSeconds, endSeconds });
  });

  it.each([
    ["yesterday", ""],
    ["", "2023-13-45"],
    ["-5", ""],
    ["1700000001", "1700000000"],
    ["2023-11-15", "2023-11-14"],
  ])("refuses %s to %s", (start, end) => {
    expect(() => toDateRange(start, end)).toThrow(expect.objectContaining({ code: "date_range_invalid" }) as Error);
  });
});
