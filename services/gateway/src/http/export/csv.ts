import { z } from "zod/mini";
import type { ApiResponse } from "../api-response.ts";

/** What a route returns that sends a CSV file. */
export const CSV = z.string();

/** The byte order mark by which spreadsheets detect UTF-8. */
export const UTF8_MARK = "\uFEFF";

/** Spreadsheets execute cells that begin like a formula; a prefix makes them text. */
const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = harmless(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV lines. */
export const csvLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");

/** Rows as CSV, with the mark by which spreadsheets detect UTF-8. */
export const csvText = (rows: readonly (readonly (string | number)[])[]): string => `${UTF8_MARK}${csvLines(rows)}`;

/** A response that the browser saves as a file. The name contains ASCII letters only. */
export const csvFile = (name: string, rows: readonly (readonly (string | number)[])[]): ApiResponse<string> => ({
  body: csvText(rows),
  headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": `attachment; filename="${name}"` },
});
