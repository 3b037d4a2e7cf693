type Cell = string | number;

const NEEDS_QUOTES = /[",\r\n]/;
// A spreadsheet runs a text cell that begins like this as a formula.
const FORMULA = /^[=+\-@\t\r]/;

function toCell(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180). The byte order mark makes spreadsheets read it as UTF-8. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(toCell).join(",")).join("\r\n")}\r\n`;
