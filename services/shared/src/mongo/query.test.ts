import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "@turnpike/contract/limits";
import { describe, expect, it } from "vitest";
import { toSubstringPattern, toPageRange } from "./query.ts";

describe("a page of a list", () => {
  it.each([0, 1] as const)("starts at its first row when pages count from %d", (firstPage) => {
    expect(toPageRange({ page: firstPage, pageSize: 20 }, firstPage)).toEqual({ skip: 0, limit: 20 });
    expect(toPageRange({ page: firstPage + 2, pageSize: 20 }, firstPage)).toEqual({ skip: 40, limit: 20 });
    expect(toPageRange({ page: -5, pageSize: 20 }, firstPage)).toEqual({ skip: 0, limit: 20 });
  });

  it("has the default length when none is requested, and never more than the maximum", () => {
    expect(toPageRange({ page: 1, pageSize: 0 }, 1).limit).toBe(PAGE_SIZE_DEFAULT);
    expect(toPageRange({ page: 1, pageSize: PAGE_SIZE_MAX + 1 }, 1).limit).toBe(PAGE_SIZE_MAX);
  });
});

describe("search", () => {
  it("matches the keyword in any case and escapes special characters", () => {
    expect("Model (a.b)").toMatch(toSubstringPattern("L (A.B"));
    expect("model (axb)").not.toMatch(toSubstringPattern("(a.b)"));
    // BSON's patterns cannot contain a NUL.
    expect(toSubstringPattern("a\0b").source).toBe("a\\x00b");
    expect("a\0b").toMatch(toSubstringPattern("A\0"));
  });
});
