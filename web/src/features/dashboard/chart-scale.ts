const NICE_STEPS = [1, 2, 2.5, 5, 10] as const;
const INTERVALS = 4;

/** The values that lines are drawn at: from 0 in round steps to the first that is not below `max`. Steps are whole numbers. */
export function axisTicks(max: number): number[] {
  const rough = Math.max(1, max / INTERVALS);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const nice = NICE_STEPS.find((step) => step * magnitude >= rough) ?? 10;
  const step = Math.ceil(nice * magnitude);
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}

/** Every how many bars there is room for a label of that width. */
export const labelStride = (count: number, plotWidth: number, labelWidth: number): number =>
  Math.max(1, Math.ceil((count * labelWidth) / Math.max(1, plotWidth)));
