import { AppError } from "./app-error.ts";

/** Runs Redis commands; every failure becomes `unavailable`, so that nothing passes unchecked while Redis is down. */
export async function withRedisErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw new AppError("unavailable", "Redis is unavailable", { cause: error });
  }
}
