import { readFileSync, writeFileSync } from "node:fs";

/** A row of the table in docs/performance.md: what was measured, and the figure as it is read there. */
type Row = readonly [what: string, figure: string];

const START = "<!-- figures of make load: start -->";
const END = "<!-- figures of make load: end -->";

const rows: Row[] = [];

/** Records a figure for the table of the documents. */
export const recordFigure = (what: string, figure: string): void => void rows.push([what, figure]);

/** A median with its spread: "0.53 (0.49 to 0.61)". */
export function formatSpread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${median.toFixed(2)} (${(sorted[0] ?? 0).toFixed(2)} to ${(sorted.at(-1) ?? 0).toFixed(2)})`;
}

/** The table as oxfmt writes it: columns as wide as their widest text. */
export function toTable(figures: readonly Row[]): string {
  const lines: readonly Row[] = [["what", "figure"], ...figures];
  const getWidth = (column: 0 | 1): number => Math.max(...lines.map((line) => line[column].length));
  const widths = [getWidth(0), getWidth(1)] as const;
  const format = ([what, figure]: Row): string => `| ${what.padEnd(widths[0])} | ${figure.padEnd(widths[1])} |`;
  const [head = ["", ""], ...others] = lines;
  const rule: Row = ["-".repeat(widths[0]), "-".repeat(widths[1])];
  return [head, rule, ...others].map(format).join("\n");
}

/** Replaces what is between the two marks. Throws when a mark is missing. */
export function replaceTable(text: string, table: string): string {
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`the document has no "${START}" with its end`);
  return `${text.slice(0, start + START.length)}\n\n${table}\n\n${text.slice(end)}`;
}

/** Writes the recorded figures into a document, in place of those of an earlier run. */
export function writeFigures(document: string): void {
  writeFileSync(document, replaceTable(readFileSync(document, "utf8"), toTable(rows)));
}
