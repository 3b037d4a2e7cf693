import { expect, it } from "vitest";
import { dayEndSeconds, dayStartSeconds } from "./day-bounds.ts";

it("starts a day at midnight and ends it a second before the next one, in the user's time zone", () => {
  expect(dayStartSeconds("2026-05-31")).toBe(new Date(2026, 4, 31).getTime() / 1000);
  expect(dayEndSeconds("2026-05-31")).toBe(new Date(2026, 5, 1).getTime() / 1000 - 1);
});

it("returns no start and no end for an invalid day", () => {
  for (const day of [undefined, "", "yesterday", "2026-5-1"]) {
    expect(dayStartSeconds(day)).toBeUndefined();
    expect(dayEndSeconds(day)).toBeUndefined();
  }
});
