import type { UsageHour } from "@turnpike/contract/api/data";

export type Granularity = "hour" | "day" | "week";
export type Measure = "quota" | "count" | "token_used";

/** One bar: when it begins, and the sum of each series in it. */
export type Bucket = { readonly startSeconds: number; readonly values: Readonly<Record<string, number>> };
export type Series = {
  /** Names in the order of their size; OTHER last when there are more than fit. */
  readonly names: readonly string[];
  readonly buckets: readonly Bucket[];
  readonly totals: Readonly<Record<string, number>>;
};

/** What the small series are summed under. A model cannot be called this. */
export const OTHER = "\u0000other";
export const SERIES_MAX = 7;

const HOUR_SECONDS = 3_600;
const DAYS_PER_WEEK = 7;
const MONDAY = 1;

/** The start of the hour, day or week (from Monday) that a moment falls in, in the reader's zone. */
export function bucketStart(seconds: number, by: Granularity): number {
  const at = new Date(seconds * 1000);
  if (by === "hour") return seconds - (seconds % HOUR_SECONDS);
  at.setHours(0, 0, 0, 0);
  if (by === "week") at.setDate(at.getDate() - ((at.getDay() - MONDAY + DAYS_PER_WEEK) % DAYS_PER_WEEK));
  return Math.floor(at.getTime() / 1000);
}

function nextBucket(startSeconds: number, by: Granularity): number {
  if (by === "hour") return startSeconds + HOUR_SECONDS;
  const at = new Date(startSeconds * 1000);
  // By the calendar, not by 24 hours: days differ where clocks are changed.
  at.setDate(at.getDate() + (by === "week" ? DAYS_PER_WEEK : 1));
  return Math.floor(at.getTime() / 1000);
}

/** The starts of the hours, days or weeks from one moment to another. */
export function bucketStarts(startSeconds: number, endSeconds: number, by: Granularity): number[] {
  const starts: number[] = [];
  for (let at = bucketStart(startSeconds, by); at <= endSeconds; at = nextBucket(at, by)) starts.push(at);
  return starts;
}

const add = (sums: Record<string, number>, name: string, value: number): void => {
  sums[name] = (sums[name] ?? 0) + value;
};

type Span = { readonly startSeconds: number; readonly endSeconds: number; readonly by: Granularity };

/** Hours summed by model into bars from start to end. Bars without use are there and hold nothing. */
export function usageSeries(
  hours: readonly UsageHour[],
  measure: Measure,
  { startSeconds, endSeconds, by }: Span,
): Series {
  const sums: Record<string, number> = {};
  for (const hour of hours) add(sums, hour.model_name, hour[measure]);
  const ranked = Object.keys(sums).sort((left, right) => (sums[right] ?? 0) - (sums[left] ?? 0));
  const named = new Set(ranked.length > SERIES_MAX ? ranked.slice(0, SERIES_MAX - 1) : ranked);
  const seriesOf = (name: string): string => (named.has(name) ? name : OTHER);
  const buckets = new Map<number, Record<string, number>>(
    bucketStarts(startSeconds, endSeconds, by).map((start) => [start, {}]),
  );
  const totals: Record<string, number> = {};
  for (const hour of hours) {
    const values = buckets.get(bucketStart(hour.created_at, by));
    if (!values) continue;
    add(values, seriesOf(hour.model_name), hour[measure]);
    add(totals, seriesOf(hour.model_name), hour[measure]);
  }
  return {
    names: [...named, ...(ranked.length > named.size ? [OTHER] : [])],
    buckets: [...buckets].map(([bucketStartSeconds, values]) => ({ startSeconds: bucketStartSeconds, values })),
    totals,
  };
}
