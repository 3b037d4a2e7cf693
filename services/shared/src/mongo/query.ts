import { readSearchPage } from "./search.ts";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "@turnpike/contract/limits";

/** Time limit of one database read. */
export const QUERY_TIMEOUT_MS = 3_000;

/**
 * A case-insensitive search for text that contains the keyword; special characters are escaped, and so is NUL, which
 * BSON's patterns cannot contain.
 */
export const toSubstringPattern = (keyword: string): RegExp =>
  new RegExp(keyword.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00"), "i");

export type PageRange = { readonly skip: number; readonly limit: number };

/** A list in two parts: the few rows that a search names exactly, and the rest. */
export type PartedList<Row> = {
  /** All of the first part. */
  readonly exact: () => Promise<Row[]>;
  readonly rest: (range: PageRange) => Promise<Row[]>;
  /** The number of rows in both parts. */
  readonly count: () => Promise<number>;
};

/** Reads one page of a list whose exact matches come first; throws search_too_long. */
export function readPartedPage<Row>(
  { exact, rest, count }: PartedList<Row>,
  range: PageRange,
): Promise<{ items: Row[]; total: number }> {
  const { skip, limit } = range;
  const items = async (): Promise<Row[]> => {
    const first = await exact();
    const shown = first.slice(skip, skip + limit);
    const left = limit - shown.length;
    return left === 0 ? shown : [...shown, ...(await rest({ skip: Math.max(0, skip - first.length), limit: left }))];
  };
  return readSearchPage({ items, count }, range);
}

/**
 * The rows to skip and the rows to read; a page below the first is the first, and no page is longer than the maximum.
 */
export function toPageRange(request: { page: number; pageSize: number }, firstPage: 0 | 1): PageRange {
  const limit = Math.min(PAGE_SIZE_MAX, request.pageSize > 0 ? request.pageSize : PAGE_SIZE_DEFAULT);
  return { skip: (Math.max(firstPage, request.page) - firstPage) * limit, limit };
}
