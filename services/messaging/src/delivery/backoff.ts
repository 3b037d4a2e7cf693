const FIRST_MS = 5_000;
const FACTOR = 3;
const LONGEST_MS = 3_600_000;
/** Attempts of one delivery: about four hours with the delays between them. */
export const ATTEMPTS_MAX = 10;

/**
 * The delay after this many failed attempts: tripled each time, at most an hour, with a jitter of a fifth by `random`
 * (0 to 1).
 */
export function getBackoffMs(attempts: number, random: number): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * FACTOR ** Math.max(0, attempts - 1));
  return Math.round(base * (0.8 + 0.4 * random));
}
