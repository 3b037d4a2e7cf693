import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "@turnpike/contract/limits";

/** Time limit of one database read. */
export const QUERY_TIMEOUT_MS = 3_000;
/** Pages further back than this many rows are not served: lists are read from their newest end. */
export const SKIP_MAX = 100_000;

// BSON's patterns cannot contain a NUL, so it is written as an escape.
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replaceAll("\0", "\\x00");

/** A case-insensitive search for text that contains the keyword; special characters are escaped. */
export const toSubstringPattern = (keyword: string): RegExp => new RegExp(escaped(keyword), "i");

/** A search for text that starts with the keyword. */
export const toPrefixPattern = (keyword: string): RegExp => new RegExp(`^${escaped(keyword)}`);

/** Semantics of SQL's LIKE with % at its ends: the exact text, or a search for its start, end or middle. */
export function toLikePattern(pattern: string): string | RegExp {
  if (!pattern.startsWith("%") && !pattern.endsWith("%")) return pattern;
  const middle = escaped(pattern.replace(/^%+|%+$/g, ""));
  return new RegExp(`${pattern.startsWith("%") ? "" : "^"}${middle}${pattern.endsWith("%") ? "" : "$"}`);
}

export type PageRange = { readonly skip: number; readonly limit: number };

/** How many rows to skip and read; limited to the maximum page size and offset. */
export function toPageRange(
  request: { page: number; pageSize: number },
  firstPage: 0 | 1,
  skipMax = SKIP_MAX,
): PageRange {
  const limit = Math.min(PAGE_SIZE_MAX, request.pageSize > 0 ? request.pageSize : PAGE_SIZE_DEFAULT);
  return { skip: Math.min(skipMax, (Math.max(firstPage, request.page) - firstPage) * limit), limit };
}
