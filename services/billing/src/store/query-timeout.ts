import { AppError } from "@turnpike/shared/errors/app-error";
import { isQueryTimeout } from "@turnpike/shared/mongo/search";

/**
 * Runs a query of the usage log; throws log_search_too_long, which names the time range as the remedy, when it exceeds its
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
