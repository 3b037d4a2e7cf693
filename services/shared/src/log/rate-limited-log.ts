import type { Logger } from "./log.ts";

const PAUSE_MS = 1_000;

/**
 * Logs bursts of warnings while a server is down, at most a line a second per subject; the next line contains the
 * number of suppressed ones (`unsaid`).
 */
export function createRateLimitedLog(log: Logger, now: () => number = Date.now) {
  const subjects = new Map<string, { saidAtMs: number; unsaid: number }>();
  return (subject: string, fields: object, message: string): void => {
    const known = subjects.get(subject);
    if (known && now() - known.saidAtMs < PAUSE_MS) {
      known.unsaid++;
      return;
    }
    subjects.set(subject, { saidAtMs: now(), unsaid: 0 });
    log.warn({ ...fields, ...(known && known.unsaid > 0 && { unsaid: known.unsaid }) }, message);
  };
}
