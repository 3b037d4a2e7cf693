/**
 * A check that matters for the start alone: once it has passed it stays passed, so that the service goes on with what it can do
 * when that part is away later.
 */
export function untilFirstSuccess(check: () => Promise<boolean>): () => Promise<boolean> {
  let hasPassed = false;
  return async () => {
    hasPassed ||= await check();
    return hasPassed;
  };
}

/** Services start in any order; one that waits longer than this for another goes on with what it can do. */
export const START_WAIT_MS = 15_000;

/**
 * A check that what others give at the start is there: it fails until then, but no longer than 15 seconds, so that a service
 * which comes back while another is away serves what needs nothing of it.
 */
export function duringStartup(check: () => boolean): () => boolean {
  const untilMs = Date.now() + START_WAIT_MS;
  return () => Date.now() >= untilMs || check();
}
