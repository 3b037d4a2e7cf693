import { mongo } from "mongoose";

const BAD_VALUE = 2;

/** True while the index that a query names is still being built, or is missing. */
const isHintUnknown = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.code === BAD_VALUE && /hint/.test(error.message);

/** Runs a query with the index of this name; until it is built, or when the name is "", MongoDB chooses. */
export async function withIndexHint<Result>(
  index: string,
  run: (hint: { hint?: string }) => Promise<Result>,
): Promise<Result> {
  if (index === "") return run({});
  try {
    return await run({ hint: index });
  } catch (error) {
    if (!isHintUnknown(error)) throw error;
    return run({});
  }
}
