import { expect, it } from "vitest";
import { exactJson } from "./exact-json.ts";

it("reads numbers in canonical form", () => {
  expect(exactJson("12")).toBe(12);
  expect(exactJson("-1.5")).toBe(-1.5);
  expect(exactJson('"12e4"')).toBe("12e4");
});

it("keeps a text that only looks like a number", () => {
  for (const text of ["12e4", "12345678901234567890123456789012", "1.0", "007"]) {
    expect(() => exactJson(text)).toThrow(SyntaxError);
  }
});
