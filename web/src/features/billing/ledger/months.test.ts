import { expect, it } from "vitest";
import { lastMonths, monthName } from "./months.ts";

it("crosses the turn of the year", () => {
  expect(lastMonths(Date.UTC(2026, 1, 28), 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
  expect(lastMonths(Date.UTC(2026, 2, 31), 2)).toEqual(["2026-03", "2026-02"]);
});

it("names a month in the user's language", () => {
  expect(monthName("2026-05", "en")).toBe("May 2026");
  expect(monthName("2026-05", "zh")).toBe("2026年5月");
});
