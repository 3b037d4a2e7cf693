const FIRST_MS = 5_000;
const FACTOR = 3;
const LONGEST_MS = 3_600_000;
/** Tries of one delivery: with the waits between them, about four hours. */
export const ATTEMPTS_MAX = 10;

/** How long to wait after so many failed tries: three times longer each time, at most an hour, a fifth more or less by `random` (0 to 1). */
export function getBackoffMs(attempts: number, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * FACTOR ** Math.max(0, attempts - 1));
  return Math.round(base * (0.8 + 0.4 * random));
}
