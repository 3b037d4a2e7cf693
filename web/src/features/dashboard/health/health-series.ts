import type { HourHealth } from "@turnpike/contract/api/report";
import { addSteps, percentileMs } from "@turnpike/contract/latency-scale";
import { bucketStart, bucketStarts, type Granularity } from "../usage/usage-series.ts";

type Steps = Record<number, number>;

/** Latency and errors of one hour, day or week; undefined without calls. */
export type HealthPoint = {
  readonly startSeconds: number;
  readonly count: number;
  readonly errors: number;
  readonly halfMs: number | undefined;
  readonly lateMs: number | undefined;
  readonly firstHalfMs: number | undefined;
  readonly firstLateMs: number | undefined;
  /** The share of failed attempts, 0 to 1. */
  readonly errorShare: number | undefined;
};

const HALF = 0.5;
const LATE = 0.95;

type Sums = { count: number; errors: number; total: Steps; first: Steps };
const nothing = (): Sums => ({ count: 0, errors: 0, total: {}, first: {} });

function addHour(sums: Sums, hour: HourHealth): void {
  sums.count += hour.count;
  sums.errors += hour.error_count;
  addSteps(sums.total, hour.total_steps);
  addSteps(sums.first, hour.first_token_steps);
}

const getPoint = (startSeconds: number, { count, errors, total, first }: Sums): HealthPoint => ({
  startSeconds,
  count,
  errors,
  halfMs: percentileMs(total, HALF),
  lateMs: percentileMs(total, LATE),
  firstHalfMs: percentileMs(first, HALF),
  firstLateMs: percentileMs(first, LATE),
  errorShare: count + errors === 0 ? undefined : errors / (count + errors),
});

type Span = { readonly startSeconds: number; readonly endSeconds: number; readonly by: Granularity };

/** Hours combined into points from start to end, and the total of all. */
export function healthSeries(
  hours: readonly HourHealth[],
  { startSeconds, endSeconds, by }: Span,
): { readonly points: readonly HealthPoint[]; readonly whole: HealthPoint } {
  const sums = new Map(bucketStarts(startSeconds, endSeconds, by).map((start) => [start, nothing()]));
  const whole = nothing();
  for (const hour of hours) {
    const sum = sums.get(bucketStart(hour.hour, by));
    if (!sum) continue;
    addHour(sum, hour);
    addHour(whole, hour);
  }
  return { points: [...sums].map(([start, sum]) => getPoint(start, sum)), whole: getPoint(startSeconds, whole) };
}
