import type { Logger } from "./log.ts";

const PAUSE_MS = 1_000;

/**
 * Logs bursts of warnings while a server is down, at most one line per second and subject; the next line contains the
 * number of suppressed ones (`suppressed`).
 */
export function createRateLimitedLog(log: Logger, now: () => number = Date.now) {
  const subjects = new Map<string, { loggedAtMs: number; suppressed: number }>();
  return (subject: string, fields: object, message: string): void => {
    const known = subjects.get(subject);
    if (known && now() - known.loggedAtMs < PAUSE_MS) {
      known.suppressed++;
      return;
    }
    subjects.set(subject, { loggedAtMs: now(), suppressed: 0 });
    log.warn({ ...fields, ...(known && known.suppressed > 0 && { suppressed: known.suppressed }) }, message);
  };
}
