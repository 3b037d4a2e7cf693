/** A panel: a title, the unit of its values, and one query with a legend for each line. */
export type Panel = {
  readonly title: string;
  readonly unit?: string;
  readonly kind?: "timeseries" | "stat" | "table";
  readonly help?: string;
  readonly queries: readonly (readonly [expr: string, legend: string])[];
};
export type Dashboard = { readonly uid: string; readonly title: string; readonly panels: readonly Panel[] };

/** The median and the 99th percentile of a histogram. */
export const quantiles = (metric: string, by = ""): Panel["queries"] =>
  [0.5, 0.99].map(
    (quantile) =>
      [
        `histogram_quantile(${quantile}, sum by (le${by === "" ? "" : `, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`,
        `p${quantile * 100}${by === "" ? "" : ` {{${by}}}`}`,
      ] as const,
  );
/** A rate grouped by one label. */
export const rate = (metric: string, by: string): readonly [string, string] => [
  `sum by (${by}) (rate(${metric}[$__rate_interval]))`,
  `{{${by}}}`,
];
