import { expect, it } from "vitest";
import { exactJson } from "./exact-json.ts";

it("reads numbers that are written as numbers are", () => {
  expect(exactJson("12")).toBe(12);
  expect(exactJson("-1.5")).toBe(-1.5);
  expect(exactJson('"12e4"')).toBe("12e4");
});

it("refuses what only looks like a number, so that it stays text", () => {
  for (const text of ["12e4", "12345678901234567890123456789012", "1.0", "007"]) {
    expect(() => exactJson(text)).toThrow(SyntaxError);
  }
});
