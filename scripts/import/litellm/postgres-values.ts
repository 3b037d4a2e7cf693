import type { DumpCell } from "./postgres-dump.ts";

/** The texts of an array as PostgreSQL writes it, such as `{gpt-4o,"a b"}`; none for NULL. NULL elements are left out. */
export function readArray(cell: DumpCell | undefined): string[] {
  const text = cell?.trim() ?? "";
  if (!text.startsWith("{") || !text.endsWith("}")) return [];
  const items: string[] = [];
  for (const [, quoted, bare] of text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,"]+)/gs)) {
    if (quoted !== undefined) items.push(quoted.replace(/\\(.)/gs, "$1"));
    else if (bare !== undefined && !/^null$/i.test(bare.trim())) items.push(bare.trim());
  }
  return items;
}

/** A JSON object; an empty one for NULL and anything else. */
export function readJson(cell: DumpCell | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(cell ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** A `timestamp` of LiteLLM, which is UTC, in seconds since 1970; undefined for NULL. */
export function readTime(cell: DumpCell | undefined): number | undefined {
  if (cell === null || cell === undefined) return undefined;
  const text = cell.trim().replace(" ", "T");
  const ms = Date.parse(
    /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(text.slice(10)) ? text.replace(/([+-]\d\d)$/, "$1:00") : `${text}Z`,
  );
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

export const readFlag = (cell: DumpCell | undefined): boolean => /^(?:t|true|1)$/i.test(cell ?? "");

/** A whole number; 0 for NULL and what is none. */
export function readCount(cell: DumpCell | undefined): number {
  const value = Number(cell ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}
