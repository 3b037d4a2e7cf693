import { expect, it } from "vitest";
import { bucketStart, getChange, OTHER, SERIES_MAX, sumBuckets, usageSeries } from "./usage-series.ts";

const HOUR = 3_600;
const start = bucketStart(1_760_000_000, "day");
const hour = (model_name: string, hours: number, quota: number) => ({
  user_id: 0,
  username: "",
  model_name,
  created_at: start + hours * HOUR,
  token_used: quota * 2,
  count: 1,
  quota,
});

it("keeps empty bars", () => {
  const span = { startSeconds: start, endSeconds: start + 3 * HOUR, by: "hour" } as const;
  const { buckets } = usageSeries([hour("a", 0, 5), hour("a", 2, 7)], "quota", span);
  expect(buckets.map(({ values }) => values["a"] ?? 0)).toEqual([5, 0, 7, 0]);
});

it("sums by day and by the selected measure", () => {
  const span = { startSeconds: start, endSeconds: start + 23 * HOUR, by: "day" } as const;
  const { buckets } = usageSeries([hour("a", 1, 5), hour("a", 20, 7)], "token_used", span);
  expect(buckets).toHaveLength(1);
  expect(buckets[0]?.values).toEqual({ a: 24 });
});

it("has at most seven series, the largest first, and sums the others in one more", () => {
  const span = { startSeconds: start, endSeconds: start + HOUR, by: "day" } as const;
  const hours = Array.from({ length: 10 }, (_, index) => hour(`m${index}`, 0, 10 - index));
  const { names, buckets } = usageSeries(hours, "quota", span);
  expect(names).toHaveLength(SERIES_MAX + 1);
  expect(names[0]).toBe("m0");
  expect(names.at(-1)).toBe(OTHER);
  expect(sumBuckets(buckets)[OTHER]).toBe(3 + 2 + 1);
  expect(Object.values(sumBuckets(buckets)).reduce((sum, value) => sum + value, 0)).toBe(55);
});

it("sums another period by the series of this one", () => {
  const span = { startSeconds: start, endSeconds: start + HOUR, by: "day" } as const;
  const { buckets } = usageSeries([hour("a", 0, 5), hour("b", 0, 7)], "quota", span, ["b", OTHER]);
  expect(sumBuckets(buckets)).toEqual({ b: 7, [OTHER]: 5 });
});

it("calculates a change as a share, and none when the previous value was 0", () => {
  expect(getChange(10, 15)).toBe(0.5);
  expect(getChange(10, 0)).toBe(-1);
  expect(getChange(0, 3)).toBeUndefined();
});
