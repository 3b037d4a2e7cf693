/**
 * A check for the startup only: once it has passed it stays passed, so that the service keeps working in part when that
 * dependency is down later.
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
 * A check that a startup dependency is available: it fails until then, but no longer than 15 seconds, so that a service
 * that restarts while another is down serves what does not need it.
 */
export function duringStartup(check: () => boolean): () => boolean {
  const untilMs = Date.now() + START_WAIT_MS;
  return () => Date.now() >= untilMs || check();
}
