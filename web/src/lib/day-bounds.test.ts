import { expect, it } from "vitest";
import { dayEndSeconds, dayStartSeconds } from "./day-bounds.ts";

it("a day begins at midnight and ends a second before the next one, where the reader is", () => {
  expect(dayStartSeconds("2026-05-31")).toBe(new Date(2026, 4, 31).getTime() / 1000);
  expect(dayEndSeconds("2026-05-31")).toBe(new Date(2026, 5, 1).getTime() / 1000 - 1);
});

it("what is no day has neither", () => {
  for (const day of [undefined, "", "yesterday", "2026-5-1"]) {
    expect(dayStartSeconds(day)).toBeUndefined();
    expect(dayEndSeconds(day)).toBeUndefined();
  }
});
