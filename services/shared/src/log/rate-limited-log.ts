import type { Logger } from "./log.ts";

const PAUSE_MS = 1_000;

/**
 * Warns of what happens in crowds when a server is away, a line a second for each subject; the next line tells how many were left
 * out (`unsaid`).
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
