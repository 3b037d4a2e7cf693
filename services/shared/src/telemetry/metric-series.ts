import type { Registry } from "prom-client";
import { registry } from "./metrics.ts";

/** One series of a counter: a plain object, so that counting is one addition. */
export type CounterSeries = { value: number };

/** One series of a histogram. */
export type HistogramSeries = { readonly observe: (value: number) => void };

type Sample = { metricName?: string; labels: Record<string, string | number>; value: number };
type Names = { readonly name: string; readonly help: string; readonly labelNames: readonly string[] };

/** The value of the last label once a metric has reached its maximum number of series. */
export const OVERFLOW = "other";
const SERIES_MAX = 2_000;

/** Exposes samples under a name; prom-client needs only this of a metric. */
function show(names: Names, type: "counter" | "histogram" | "gauge", samples: () => Sample[], into: Registry): void {
  const metric = { name: names.name, help: names.help, type, aggregator: "sum" };
  into.registerMetric({
    ...metric,
    get: () => Promise.resolve({ ...metric, values: samples() }),
    reset: () => undefined,
  } as never);
}

/**
 * Finds series by their label values without building a string for it; above the bound they share one series of
 * "other".
 */
function createSeries<Cell>(labelNames: readonly string[], make: () => Cell, seriesMax: number) {
  type Node = Map<string | number, Node | Cell>;
  const root: Node = new Map();
  const all: { readonly labels: Record<string, string | number>; readonly cell: Cell }[] = [];
  const add = (values: readonly (string | number)[]): Cell => {
    const cell = make();
    all.push({ labels: Object.fromEntries(labelNames.map((name, index) => [name, values[index] ?? ""])), cell });
    return cell;
  };
  const find = (values: readonly (string | number)[]): Cell => {
    let node = root;
    const last = values.length - 1;
    for (let depth = 0; depth < last; depth++) {
      const value = values[depth] ?? "";
      let next = node.get(value) as Node | undefined;
      if (!next) {
        if (all.length >= seriesMax && value !== OVERFLOW) return find(values.map(() => OVERFLOW));
        next = new Map();
        node.set(value, next);
      }
      node = next;
    }
    const value = values[last] ?? "";
    const known = node.get(value) as Cell | undefined;
    if (known) return known;
    if (all.length >= seriesMax && value !== OVERFLOW) return find(values.map(() => OVERFLOW));
    const cell = add(values);
    node.set(value, cell);
    return cell;
  };
  return { all, find };
}

/**
 * A counter for busy paths: `of` returns the series of these label values, which callers may keep. At most `seriesMax`
 * series (2000) are created; further ones are counted under "other", so that no caller can make the metrics grow.
 */
export function createCounter(
  names: Names,
  { into = registry, seriesMax = SERIES_MAX }: { into?: Registry; seriesMax?: number } = {},
) {
  const series = createSeries<CounterSeries>(names.labelNames, () => ({ value: 0 }), seriesMax);
  show(names, "counter", () => series.all.map(({ labels, cell }) => ({ labels, value: cell.value })), into);
  return { of: (...values: (string | number)[]): CounterSeries => series.find(values) };
}

type Buckets = HistogramSeries & { readonly counts: Float64Array; sum: number };

function createBuckets(bounds: readonly number[]): Buckets {
  const counts = new Float64Array(bounds.length + 1);
  const cell = {
    counts,
    sum: 0,
    observe(value: number): void {
      let index = 0;
      while (index < bounds.length && value > (bounds[index] ?? 0)) index++;
      counts[index] = (counts[index] ?? 0) + 1;
      cell.sum += value;
    },
  };
  return cell;
}

/** The same as a histogram with these buckets. */
export function createHistogram(
  names: Names & { readonly buckets: readonly number[] },
  { into = registry, seriesMax = SERIES_MAX / 10 }: { into?: Registry; seriesMax?: number } = {},
) {
  const series = createSeries<Buckets>(names.labelNames, () => createBuckets(names.buckets), seriesMax);
  const toSamples = ({ labels, cell }: (typeof series.all)[number]): Sample[] => {
    let total = 0;
    const samples = [...cell.counts].map((count, index): Sample => {
      total += count;
      return {
        metricName: `${names.name}_bucket`,
        labels: { ...labels, le: names.buckets[index] ?? "+Inf" },
        value: total,
      };
    });
    samples.push({ metricName: `${names.name}_sum`, labels, value: cell.sum });
    samples.push({ metricName: `${names.name}_count`, labels, value: total });
    return samples;
  };
  show(names, "histogram", () => series.all.flatMap(toSamples), into);
  return { of: (...values: (string | number)[]): HistogramSeries => series.find(values) };
}

/** Gauges that are read at scrape time: label values and a number for each series. */
export function registerGauge(
  names: Names,
  read: () => readonly (readonly [...labels: (string | number)[], value: number])[],
  into: Registry = registry,
): void {
  const samples = (): Sample[] =>
    read().map((row) => ({
      labels: Object.fromEntries(names.labelNames.map((name, index) => [name, row[index] ?? ""])),
      value: Number(row[names.labelNames.length]),
    }));
  show(names, "gauge", samples, into);
}
