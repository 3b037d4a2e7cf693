/** From this number of seconds on, a task counts as slow. */
export const SLOW_SECONDS = 60;

/** How long a task took, in seconds with one decimal; undefined while it runs or when its times make no sense. */
export function durationSeconds(submittedMs: number, finishedMs: number): number | undefined {
  if (submittedMs <= 0 || finishedMs < submittedMs) return undefined;
  return Math.round((finishedMs - submittedMs) / 100) / 10;
}

/** A progress such as "40%" as a number from 0 to 100; undefined for any other text. */
export function parsePercent(progress: string): number | undefined {
  const match = /^(\d{1,3})(?:\.\d+)?%$/.exec(progress.trim());
  return match ? Math.min(100, Number(match[1])) : undefined;
}
