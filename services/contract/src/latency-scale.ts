/** Upper bound of the first bucket; each further bucket is 25 % wider than the previous one. */
const FIRST_MS = 10;
const GROWTH = 1.25;
const STEP_MAX = 60;

/** Call counts by latency bucket. */
export type LatencySteps = Readonly<Record<number, number>>;

/** The bucket of a time, from 0. Buckets are narrow enough that a percentile is off by 10 % at most. */
export const latencyStep = (ms: number): number =>
  ms < FIRST_MS ? 0 : Math.min(STEP_MAX, 1 + Math.floor(Math.log(ms / FIRST_MS) / Math.log(GROWTH)));

const getEnd = (step: number): number => FIRST_MS * GROWTH ** step;
const getStart = (step: number): number => (step === 0 ? 0 : getEnd(step - 1));

/** The percentile (share 0 to 1) of the calls' times, in ms; undefined without calls. */
export function percentileMs(steps: LatencySteps, share: number): number | undefined {
  const sorted = Object.entries(steps)
    .map(([step, count]) => ({ step: Number(step), count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.step - b.step);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  let left = total * share;
  for (const { step, count } of sorted) {
    if (left <= count) return getStart(step) + (getEnd(step) - getStart(step)) * (left / count);
    left -= count;
  }
  return undefined;
}

/** Adds two sets of bucket counts. */
export function addSteps(into: Record<number, number>, steps: LatencySteps): void {
  for (const [step, count] of Object.entries(steps)) into[Number(step)] = (into[Number(step)] ?? 0) + count;
}
