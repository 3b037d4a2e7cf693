import type { Source, SourceRow } from "./open-source.ts";

/** The product that wrote the database. */
export type Dialect = "one-api" | "new-api" | "veloera";

/** Detects the product by columns that only one of the three has. */
export function getDialect(source: Source): Dialect {
  const has = (table: string, column: string): boolean =>
    source.tables.has(table) && source.readColumns(table).has(column);
  if (has("redemptions", "is_gift") || has("tokens", "rate_limit_enabled") || has("channels", "model_prefix"))
    return "veloera";
  return has("users", "aff_quota") || has("tokens", "model_limits") || has("channels", "tag") ? "new-api" : "one-api";
}

/** A column as text; "" if missing. */
export function getText(row: SourceRow, name: string): string {
  const value = row[name];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : "";
}

/** A column as a whole number; 0 if missing or not a number. */
export function getInteger(row: SourceRow, name: string): number {
  const value = Number(row[name] ?? 0);
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}

/** A column as a boolean: 1, true, t; booleans of SQLite and MySQL are numbers. */
export const getFlag = (row: SourceRow, name: string): boolean =>
  ["1", "true", "t"].includes(getText(row, name).toLowerCase());

/** True for soft-deleted rows. */
export const isDeleted = (row: SourceRow): boolean => {
  const value = row["deleted_at"];
  return value !== undefined && value !== null && value !== "" && value !== 0;
};

/** When a row was deleted, unix seconds; 0 if it was not deleted. */
export function getDeletedAt(row: SourceRow, nowSeconds: number): number {
  if (!isDeleted(row)) return 0;
  const at = Date.parse(getText(row, "deleted_at"));
  return Number.isNaN(at) ? nowSeconds : Math.floor(at / 1000);
}
