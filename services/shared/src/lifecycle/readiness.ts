/**
 * A check for startup only: once it has passed it stays passed, so that the service keeps working in part when that
 * dependency is down later.
 */
export function untilFirstSuccess(check: () => Promise<boolean>): () => Promise<boolean> {
  let hasPassed = false;
  return async () => {
    hasPassed ||= await check();
    return hasPassed;
  };
}

/** Services start in any order; a service that waits longer than this for another starts with reduced function. */
export const START_WAIT_MS = 15_000;

/**
 * A check that a startup dependency is available. It fails until then, but for 15 seconds at most, so that a service
 * that restarts while another is down serves what does not need it.
 */
export function duringStartup(check: () => boolean): () => boolean {
  const untilMs = Date.now() + START_WAIT_MS;
  return () => Date.now() >= untilMs || check();
}
