import { mongo } from "mongoose";
import { AppError } from "../errors/app-error.ts";

/** Time limit of each query of a search in the console: text that no index finds is compared row by row. */
export const SEARCH_TIMEOUT_MS = 1_500;

const MAX_TIME_EXPIRED = 50;

/** True for a query that MongoDB aborted at its `maxTimeMS`. */
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;

/** Runs a search; throws search_too_long, which the user can act on, when a query of it exceeds its time limit. */
export async function withSearchTimeout<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isQueryTimeout(error)) throw error;
    throw new AppError("search_too_long", "the search exceeded its time limit", { cause: error });
  }
}

/** The number of matches; undefined when counting them exceeds the time limit. */
async function tryCount(count: () => Promise<number>): Promise<number | undefined> {
  try {
    return await count();
  } catch (error) {
    if (isQueryTimeout(error)) return undefined;
    throw error;
  }
}

/**
 * Reads a page of a search and counts its matches at the same time. If only the count exceeds the time limit, the total is
 * the number of rows known so far, plus one when there may be more. Throws search_too_long when the rows exceed it.
 */
export async function readSearchPage<Row>(
  { items, count }: { readonly items: () => Promise<Row[]>; readonly count: () => Promise<number> },
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<{ items: Row[]; total: number }> {
  const [found, total] = await withSearchTimeout(() => Promise.all([items(), tryCount(count)]));
  return { items: found, total: total ?? skip + found.length + (found.length === limit ? 1 : 0) };
}
