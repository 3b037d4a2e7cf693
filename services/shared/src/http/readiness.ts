/**
 * A check that matters for the start alone: once it has passed it stays passed, so that the service goes on with what it can do
 * when that part is away later.
 */
export function untilFirst(check: () => Promise<boolean>): () => Promise<boolean> {
  let hasPassed = false;
  return async () => {
    hasPassed ||= await check();
    return hasPassed;
  };
}
