import { AppError } from "@turnpike/shared/errors/app-error";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_SECONDS = 86_400;
/** Digits that are more than a moment in seconds could have are milliseconds. */
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
 * The moments from start to end, both taken, in unix seconds; 0 is open. Each is unix seconds, a UTC day (as an end: all of it) or
 * RFC 3339. Throws date_range_invalid.
 */
export function toDateRange(start: string, end: string): { startSeconds: number; endSeconds: number } {
  const startSeconds = start.trim() === "" ? 0 : toSeconds(start);
  const endSeconds = end.trim() === "" ? 0 : toSeconds(end) + (DAY.test(end.trim()) ? DAY_SECONDS - 1 : 0);
  if (endSeconds > 0 && startSeconds > endSeconds)
    throw new AppError("date_range_invalid", "the start is after the end");
  return { startSeconds, endSeconds };
}
