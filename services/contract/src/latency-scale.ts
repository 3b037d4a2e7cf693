/** Upper bound of the first bucket; each further one is a quarter wider than the previous one. */
const FIRST_MS = 10;
const GROWTH = 1.25;
const STEP_MAX = 60;

/** Call counts by latency bucket. */
export type LatencySteps = Readonly<Record<number, number>>;

/** The bucket of a time, from 0. Buckets are narrow enough that a percentile is off by a tenth at most. */
export const latencyStep = (ms: number): number =>
  ms < FIRST_MS ? 0 : Math.min(STEP_MAX, 1 + Math.floor(Math.log(ms / FIRST_MS) / Math.log(GROWTH)));

const endOf = (step: number): number => FIRST_MS * GROWTH ** step;
const startOf = (step: number): number => (step === 0 ? 0 : endOf(step - 1));

/** The percentile (share 0 to 1) of the calls' times, in ms; undefined without calls. */
export function percentileMs(steps: LatencySteps, share: number): number | undefined {
  const sorted = Object.entries(steps)
    .map(([step, count]) => ({ step: Number(step), count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.step - b.step);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  let left = total * share;
  for (const { step, count } of sorted) {
    if (left <= count) return startOf(step) + (endOf(step) - startOf(step)) * (left / count);
    left -= count;
  }
  return undefined;
}

/** Merges two counts. */
export function addSteps(into: Record<number, number>, steps: LatencySteps): void {
  for (const [step, count] of Object.entries(steps)) into[Number(step)] = (into[Number(step)] ?? 0) + count;
}
