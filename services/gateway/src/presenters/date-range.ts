import { AppError } from "@turnpike/shared/errors/app-error";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_SECONDS = 86_400;
/** A number with more digits than a time in seconds can have is in milliseconds. */
const SECONDS_MAX = 100_000_000_000;

function toSeconds(text: string): number {
  const value = text.trim();
  if (/^\d{1,15}$/.test(value)) {
    const number = Number(value);
    return number > SECONDS_MAX ? Math.floor(number / 1000) : number;
  }
  const ms = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isFinite(ms) || ms < 0) throw new AppError("date_range_invalid", "not a date");
  return Math.floor(ms / 1000);
}

/**
 * The range from start to end, both inclusive, in unix seconds; 0 is open. Each is unix seconds, a UTC day (as an end:
 * the whole day) or RFC 3339. Throws date_range_invalid.
 */
export function toDateRange(start: string, end: string): { startSeconds: number; endSeconds: number } {
  const startSeconds = start.trim() === "" ? 0 : toSeconds(start);
  const endSeconds = end.trim() === "" ? 0 : toSeconds(end) + (DAY.test(end.trim()) ? DAY_SECONDS - 1 : 0);
  if (endSeconds > 0 && startSeconds > endSeconds)
    throw new AppError("date_range_invalid", "the start is after the end");
  return { startSeconds, endSeconds };
}
