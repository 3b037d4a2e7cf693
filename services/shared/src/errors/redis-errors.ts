import { AppError } from "./app-error.ts";

/** Runs Redis commands; every failure of theirs is `unavailable`, so that nothing is let through while Redis is away. */
export async function withRedisErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw new AppError("unavailable", "Redis does not answer", { cause: error });
  }
}
