import { describe, expect, it } from "vitest";
import { readMonth } from "./month.ts";

describe("month", () => {
  it.each([
    ["2026-11", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"],
    ["2026-12", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"],
    ["2028-02", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"],
  ])("starts month %s at %s and ends it at %s", (text, start, end) => {
    expect(readMonth(text)).toEqual({ startSeconds: Date.parse(start) / 1000, endSeconds: Date.parse(end) / 1000 });
  });

  it.each(["", "2026", "2026-13", "2026-00", "2026-1", "26-11", "2026-11-01"])("is refused as %j", (text) => {
    expect(() => readMonth(text)).toThrow(expect.objectContaining({ code: "month_invalid" }) as Error);
  });
});
