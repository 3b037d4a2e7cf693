import { expect, it } from "vitest";
import { toCsv } from "./csv.ts";

it("quotes separators, quotes and line ends, and keeps numbers as they are", () => {
  expect(
    toCsv([
      ["a,b", 'say "x"', 1.5, -2],
      ["two\nlines", ""],
    ]),
  ).toBe('\uFEFF"a,b","say ""x""",1.5,-2\r\n"two\nlines",\r\n');
});

it("writes no text that a spreadsheet would run as a formula", () => {
  expect(toCsv([["=1+1", "@x", "-y"]])).toBe("\uFEFF'=1+1,'@x,'-y\r\n");
});
