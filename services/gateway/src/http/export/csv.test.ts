import { describe, expect, it } from "vitest";
import { csvText } from "./csv.ts";

const toLine = (...row: (string | number)[]): string => csvText([row]).slice(1, -2);

describe("a CSV", () => {
  it.each<[string, (string | number)[], string]>([
    ["separates by commas", ["a", 1, -2], "a,1,-2"],
    ["quotes commas, quotes and lines", ["a,b", 'say "x"', "two\nlines"], '"a,b","say ""x""","two\nlines"'],
    ["makes formulas text", ["=1+1", "@x", "-1", "+1"], "'=1+1,'@x,'-1,'+1"],
    ["keeps text in other writing systems unchanged", ["充值", ""], "充值,"],
  ])("%s", (_, row, line) => {
    expect(toLine(...row)).toBe(line);
  });

  it("starts with the UTF-8 byte order mark and ends lines with CRLF", () => {
    expect(csvText([["a"], ["b"]])).toBe("\uFEFFa\r\nb\r\n");
  });
});
