import { expect, it } from "vitest";
import { toDayString, isNoticeDue, getTextHash } from "./notice-schedule.ts";

const TODAY = "2026-11-21";

it("opens a notice once a day, and again when its text changes", () => {
  expect(isNoticeDue("Maintenance", undefined, TODAY)).toBe(true);
  expect(isNoticeDue("Maintenance", { day: TODAY, mark: getTextHash("Maintenance") }, TODAY)).toBe(false);
  expect(isNoticeDue("Maintenance", { day: "2026-11-20", mark: getTextHash("Maintenance") }, TODAY)).toBe(true);
  expect(isNoticeDue("Maintenance tonight", { day: TODAY, mark: getTextHash("Maintenance") }, TODAY)).toBe(true);
});

it("opens nothing without a notice", () => {
  expect(isNoticeDue(" \n", undefined, TODAY)).toBe(false);
});

it("counts days in the user's time zone", () => {
  expect(toDayString(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});
