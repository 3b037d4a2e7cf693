import type { Source, SourceRow } from "./open-source.ts";

/** Whose database it is. */
export type Dialect = "one-api" | "new-api" | "veloera";

/** Tells the three apart by columns that only one of them has. */
export function dialectOf(source: Source): Dialect {
  const has = (table: string, column: string): boolean =>
    source.tables.has(table) && source.readColumns(table).has(column);
  if (has("redemptions", "is_gift") || has("tokens", "rate_limit_enabled") || has("channels", "model_prefix"))
    return "veloera";
  return has("users", "aff_quota") || has("tokens", "model_limits") || has("channels", "tag") ? "new-api" : "one-api";
}

/** A column as text; "" where there is none. */
export function textOf(row: SourceRow, name: string): string {
  const value = row[name];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}

/** A column as a whole number; 0 where there is none or it is none. */
export function wholeOf(row: SourceRow, name: string): number {
  const value = Number(row[name] ?? 0);
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}

/** A column as a truth: 1, true, t; booleans of SQLite and MySQL are numbers. */
export const flagOf = (row: SourceRow, name: string): boolean =>
  ["1", "true", "t"].includes(textOf(row, name).toLowerCase());

/** True for rows that were deleted and stayed in the table. */
export const isDeleted = (row: SourceRow): boolean => {
  const value = row["deleted_at"];
  return value !== undefined && value !== null && value !== "" && value !== 0;
};

/** When a row was deleted, unix seconds; 0 when it was not. */
export function deletedAtOf(row: SourceRow, nowSeconds: number): number {
  if (!isDeleted(row)) return 0;
  const at = Date.parse(textOf(row, "deleted_at"));
  return Number.isNaN(at) ? nowSeconds : Math.floor(at / 1000);
}
