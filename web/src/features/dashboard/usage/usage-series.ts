import type { UsageHour } from "@turnpike/contract/api/data";

export type Granularity = "hour" | "day" | "week";
export type Measure = "quota" | "count" | "token_used";

/** One bar: its start, and the sum of each series in it. */
export type Bucket = { readonly startSeconds: number; readonly values: Readonly<Record<string, number>> };
export type Series = {
  /** Names by size, largest first; OTHER last when there are more than SERIES_MAX. */
  readonly names: readonly string[];
  readonly buckets: readonly Bucket[];
};

/** The name of the sum of small series. No model can have this name. */
export const OTHER = "\u0000other";
/** The maximum number of series besides OTHER. */
export const SERIES_MAX = 7;

const HOUR_SECONDS = 3_600;
const DAYS_PER_WEEK = 7;
const MONDAY = 1;

/** The start of the hour, day or week (from Monday) that a time falls in, in the user's time zone. */
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
  // By the calendar, not by 24 hours: days with a clock change differ.
  at.setDate(at.getDate() + (by === "week" ? DAYS_PER_WEEK : 1));
  return Math.floor(at.getTime() / 1000);
}

/** The starts of the hours, days or weeks between two times. */
export function bucketStarts(startSeconds: number, endSeconds: number, by: Granularity): number[] {
  const starts: number[] = [];
  for (let at = bucketStart(startSeconds, by); at <= endSeconds; at = nextBucket(at, by)) starts.push(at);
  return starts;
}

const add = (sums: Record<string, number>, name: string, value: number): void => {
  sums[name] = (sums[name] ?? 0) + value;
};

export type Span = { readonly startSeconds: number; readonly endSeconds: number; readonly by: Granularity };

/** The names of the series: the largest models, and OTHER for all others. */
function rankNames(hours: readonly UsageHour[], measure: Measure): string[] {
  const sums: Record<string, number> = {};
  for (const hour of hours) add(sums, hour.model_name, hour[measure]);
  const ranked = Object.keys(sums).toSorted((left, right) => (sums[right] ?? 0) - (sums[left] ?? 0));
  return ranked.length > SERIES_MAX ? [...ranked.slice(0, SERIES_MAX), OTHER] : ranked;
}

/**
 * Hours summed by model into bars from start to end. Bars without usage are present and empty. With `names`, these are
 * the series, so that two periods can be compared.
 */
export function usageSeries(
  hours: readonly UsageHour[],
  measure: Measure,
  { startSeconds, endSeconds, by }: Span,
  names: readonly string[] = rankNames(hours, measure),
): Series {
  const named = new Set(names);
  const toName = (name: string): string => (named.has(name) ? name : OTHER);
  const buckets = new Map<number, Record<string, number>>(
    bucketStarts(startSeconds, endSeconds, by).map((start) => [start, {}]),
  );
  for (const hour of hours) {
    const values = buckets.get(bucketStart(hour.created_at, by));
    if (!values) continue;
    add(values, toName(hour.model_name), hour[measure]);
  }
  return {
    names,
    buckets: [...buckets].map(([bucketStartSeconds, values]) => ({ startSeconds: bucketStartSeconds, values })),
  };
}

/** The sums of buckets by series. */
export function sumBuckets(buckets: readonly Bucket[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { values } of buckets) for (const [name, value] of Object.entries(values)) add(sums, name, value);
  return sums;
}

/** The change between two sums as a share, 0.1 for 10 % more; undefined when the first sum is 0. */
export const getChange = (before: number, now: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before;
