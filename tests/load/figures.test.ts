import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { formatSpread, replaceTable, toTable } from "./figures.ts";

const DOCUMENT = readFileSync(resolve(import.meta.dirname, "../../docs/performance.md"), "utf8");

it("shows a median with its spread", () => {
  expect(formatSpread([0.61, 0.49, 0.53])).toBe("0.53 (0.49 to 0.61)");
});

it("writes columns as wide as their widest text", () => {
  expect(toTable([["calls", "2 300 /s"]])).toBe(
    ["| what  | figure   |", "| ----- | -------- |", "| calls | 2 300 /s |"].join("\n"),
  );
});

it("replaces the table of an earlier run and nothing else", () => {
  const table = toTable([["calls", "1 /s"]]);
  const replaced = replaceTable(DOCUMENT, table);
  expect(replaced).toContain(table);
  expect(replaceTable(replaced, toTable([["calls", "2 /s"]]))).toBe(replaced.replace("1 /s", "2 /s"));
  const outside = (text: string): string => text.replace(/<!-- figures[^]*<!-- figures[^\n]*/, "");
  expect(outside(replaced)).toBe(outside(DOCUMENT));
});

it("throws when the document has no place for the table", () => {
  expect(() => replaceTable("# Performance", "")).toThrow("has no");
});
