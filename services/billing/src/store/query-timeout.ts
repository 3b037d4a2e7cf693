import { AppError } from "@turnpike/shared/errors/app-error";
import { mongo } from "mongoose";

const MAX_TIME_EXPIRED = 50;

/** True for a query that MongoDB aborted at its `maxTimeMS`. */
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;

/**
 * Runs a query over rows without tallies; throws log_search_too_long, which the user can act on, when it exceeds its
 * time limit.
 */
export async function withQueryTimeout<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isQueryTimeout(error)) throw error;
    throw new AppError("log_search_too_long", "the query took too long", { cause: error });
  }
}
