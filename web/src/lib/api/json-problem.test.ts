import { describe, expect, it } from "vitest";
import { findJsonProblem, findKeyLine } from "./json-problem.ts";

describe("findJsonProblem", () => {
  it("accepts what JSON.parse accepts", () => {
    for (const source of ["{}", "[]", ' {"a": [1, -2.5e3, "x\\n", true, null]} ', '"text"', "0"]) {
      expect(findJsonProblem(source)).toBeUndefined();
      expect(() => JSON.parse(source) as unknown).not.toThrow();
    }
  });
  it("reports the line and the column", () => {
    expect(findJsonProblem('{\n  "a": 1\n  "b": 2\n}')).toMatchObject({ line: 3, column: 3 });
    expect(findJsonProblem('{\n  "a": 01\n}')).toMatchObject({ line: 2, column: 9 });
  });
  it("refuses what JSON.parse refuses", () => {
    for (const source of ["", "{", "[1,]", '{"a":1,}', "{a:1}", '{"a" 1}', '"a', "1 2", "nul", '{"a":}']) {
      expect(findJsonProblem(source)).toBeDefined();
      expect(() => JSON.parse(source) as unknown).toThrow(SyntaxError);
    }
  });
  it("reports an extra comma and a duplicate key", () => {
    expect(findJsonProblem('{"a":1,}')?.message).toBe("最后一项后面不能有逗号");
    expect(findJsonProblem('{"a":1,"a":2}')?.message).toBe("键名重复");
  });
});

describe("findKeyLine", () => {
  it("finds the line of a key", () => {
    expect(findKeyLine('{\n "a": 1,\n "b": 2\n}', "b")).toBe(3);
  });
});
