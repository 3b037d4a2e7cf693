import { getHour } from "../store/calendar.ts";

const HOUR_SECONDS = 3600;

/** Seconds, both ends inclusive. */
export type SecondRange = { readonly from: number; readonly to: number };

/**
 * Splits a time range into whole hours (starts of the first and the last, undefined when there is none) and the partial
 * hours at its ends. Everything after `now` is empty, so that a range that ends later ends with a whole hour.
 */
export function splitHours(
  range: SecondRange,
  nowSeconds: number,
): { readonly hours: SecondRange | undefined; readonly edges: readonly SecondRange[] } {
  const { from } = range;
  const to = range.to >= nowSeconds ? getHour(nowSeconds) + HOUR_SECONDS - 1 : range.to;
  if (to < from) return { hours: undefined, edges: [] };
  const first = getHour(from + HOUR_SECONDS - 1);
  const last = getHour(to + 1) - HOUR_SECONDS;
  if (last < first) return { hours: undefined, edges: [{ from, to }] };
  const edges = [
    { from, to: first - 1 },
    { from: last + HOUR_SECONDS, to },
  ];
  return { hours: { from: first, to: last }, edges: edges.filter((edge) => edge.from <= edge.to) };
}

const MINUTE_SECONDS = 60;

/**
 * Splits a partial hour or two into whole minutes (undefined when there is none) and the remaining seconds at its ends,
 * newest first.
 */
export function splitMinutes({ from, to }: SecondRange): {
  readonly whole: SecondRange | undefined;
  readonly rests: readonly SecondRange[];
} {
  const first = Math.ceil(from / MINUTE_SECONDS) * MINUTE_SECONDS;
  const last = Math.floor((to + 1) / MINUTE_SECONDS) * MINUTE_SECONDS - 1;
  if (last < first) return { whole: undefined, rests: [{ from, to }] };
  const rests = [
    { from: last + 1, to },
    { from, to: first - 1 },
  ];
  return { whole: { from: first, to: last }, rests: rests.filter((rest) => rest.from <= rest.to) };
}
