import { describe, expect, it } from "vitest";
import { choiceSearch, daySearch, flagSearch, createSearchParser, textSearch, wholeSearch } from "./search.ts";

const read = createSearchParser({
  page: wholeSearch(1),
  size: wholeSearch(1, 100),
  keyword: textSearch,
  expired: flagSearch,
  range: choiceSearch("today", "7d"),
});

describe("search parameters of an address", () => {
  it("keeps known parts and drops all others", () => {
    expect(read({ page: 2, size: 50, keyword: "gpt", expired: true, range: "7d", other: 1 })).toEqual({
      page: 2,
      size: 50,
      keyword: "gpt",
      expired: true,
      range: "7d",
    });
  });

  it("reads invalid values as absent", () => {
    expect(read({ page: 0, size: 101, keyword: ["a"], expired: "yes", range: "year" })).toEqual({});
    expect(read({ page: 1.5, size: "20", keyword: "x".repeat(201) })).toEqual({});
  });

  it("accepts days only", () => {
    expect(daySearch("2026-05-31")).toBe("2026-05-31");
    expect(daySearch("31.5.2026")).toBeUndefined();
    expect(daySearch(20260531)).toBeUndefined();
  });

  it("reads a number typed as a filter as text", () => {
    expect(read({ keyword: 42 })).toEqual({ keyword: "42" });
  });
});
