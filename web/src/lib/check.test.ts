import { describe, expect, it } from "vitest";
import { isFlag, isListOf, isMapOf, isNullable, isNumber, isObjectOf, isOneOf, isOptional, isText } from "./check.ts";

const isThing = isObjectOf<{ id: number; name: string; tag?: string | undefined }>({
  id: isNumber,
  name: isText,
  tag: isOptional(isText),
});

describe("a check of an answer", () => {
  it("accepts what fits and fields it does not know", () => {
    expect(isThing({ id: 1, name: "a" })).toBe(true);
    expect(isThing({ id: 1, name: "a", tag: "b", more: true })).toBe(true);
  });

  it("refuses missing fields, fields of another kind and what is no object", () => {
    for (const value of [{ id: 1 }, { id: "1", name: "a" }, { id: 1, name: "a", tag: 1 }, [], null, undefined, "a"]) {
      expect(isThing(value)).toBe(false);
    }
  });

  it("looks at every item of a list and every value of a map", () => {
    expect(isListOf(isThing)([{ id: 1, name: "a" }])).toBe(true);
    expect(isListOf(isThing)([{ id: 1, name: "a" }, {}])).toBe(false);
    expect(isListOf(isText)({})).toBe(false);
    expect(isMapOf(isNumber)({ a: 1 })).toBe(true);
    expect(isMapOf(isNumber)({ a: 1, b: "2" })).toBe(false);
    expect(isMapOf(isNumber)([1])).toBe(false);
  });

  it("tells null, absence and a few allowed values apart", () => {
    expect(isNullable(isFlag)(null)).toBe(true);
    expect(isNullable(isFlag)(undefined)).toBe(false);
    expect(isOptional(isFlag)(null)).toBe(false);
    expect(isOneOf("hour", "day")("day")).toBe(true);
    expect(isOneOf("hour", "day")("week")).toBe(false);
  });
});
