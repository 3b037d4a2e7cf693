import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "@turnpike/contract/limits";

/** How long one read of the database may take. */
export const QUERY_TIMEOUT_MS = 3_000;
/** Pages further back than this many rows are not served: lists are read from their newest end. */
export const SKIP_MAX = 100_000;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** A search for text that contains the keyword, whatever its case; the keyword's own signs mean themselves. */
export const toSubstringPattern = (keyword: string): RegExp => new RegExp(escaped(keyword), "i");

/** A search for text that starts with the keyword. */
export const toPrefixPattern = (keyword: string): RegExp => new RegExp(`^${escaped(keyword)}`);

/** What SQL's LIKE with % at its ends means: the exact text, or a search for its start, end or middle. */
export function toLikePattern(pattern: string): string | RegExp {
  if (!pattern.startsWith("%") && !pattern.endsWith("%")) return pattern;
  const middle = escaped(pattern.replace(/^%+|%+$/g, ""));
  return new RegExp(`${pattern.startsWith("%") ? "" : "^"}${middle}${pattern.endsWith("%") ? "" : "$"}`);
}

export type PageRange = { readonly skip: number; readonly limit: number };

/** What to skip and how much to read; no page is longer than the maximum, and none starts further back than is served. */
export function toPageRange(
  request: { page: number; pageSize: number },
  firstPage: 0 | 1,
  skipMax = SKIP_MAX,
): PageRange {
  const limit = Math.min(PAGE_SIZE_MAX, request.pageSize > 0 ? request.pageSize : PAGE_SIZE_DEFAULT);
  return { skip: Math.min(skipMax, (Math.max(firstPage, request.page) - firstPage) * limit), limit };
}
