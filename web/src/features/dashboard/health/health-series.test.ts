import { latencyStep } from "@turnpike/contract/latency-scale";
import { expect, it } from "vitest";
import { healthSeries } from "./health-series.ts";
import { bucketStart } from "../usage/usage-series.ts";

const start = bucketStart(1_760_000_000, "day");
const hour = (hours: number, count: number, errors: number, ms: number) => ({
  hour: start + hours * 3_600,
  count,
  error_count: errors,
  total_steps: { [latencyStep(ms)]: count },
  first_token_steps: {},
});

it("combines the hours of a day, percentiles included", () => {
  const span = { startSeconds: start, endSeconds: start + 47 * 3_600, by: "day" } as const;
  const { points, whole } = healthSeries([hour(1, 98, 0, 500), hour(20, 2, 25, 9_000), hour(30, 1, 0, 100)], span);
  expect(points).toHaveLength(2);
  expect(points[0]).toMatchObject({ count: 100, errors: 25, errorShare: 0.2 });
  expect(points[0]?.halfMs).toBeGreaterThan(400);
  expect(points[0]?.lateMs).toBeLessThan(650);
  expect(whole).toMatchObject({ count: 101, errors: 25 });
});

it("has no values for times without calls", () => {
  const span = { startSeconds: start, endSeconds: start + 3_600, by: "hour" } as const;
  const { points } = healthSeries([hour(0, 1, 0, 100)], span);
  expect(points[1]).toMatchObject({ halfMs: undefined, errorShare: undefined, count: 0 });
});
