import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "@turnpike/contract/limits";

/** Time limit of one database read. */
export const QUERY_TIMEOUT_MS = 3_000;

/** A case-insensitive search for text that contains the keyword; special characters are escaped. */
export const toSubstringPattern = (keyword: string): RegExp =>
  new RegExp(keyword.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i");

export type PageRange = { readonly skip: number; readonly limit: number };

/** What to skip and how much to read; a page before the first is the first, none is longer than the maximum. */
export function toPageRange(request: { page: number; pageSize: number }, firstPage: 0 | 1): PageRange {
  const limit = Math.min(PAGE_SIZE_MAX, request.pageSize > 0 ? request.pageSize : PAGE_SIZE_DEFAULT);
  return { skip: (Math.max(firstPage, request.page) - firstPage) * limit, limit };
}
