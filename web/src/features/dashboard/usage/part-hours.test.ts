import { afterAll, describe, expect, it, vi } from "vitest";
import { hasPartHours } from "./part-hours.ts";
import { usageSeries } from "./usage-series.ts";

const at = (text: string): number => Date.parse(text) / 1000;
const quarter = (created_at: number, quota: number) => ({
  user_id: 0,
  username: "",
  model_name: "a",
  created_at,
  token_used: 0,
  count: 1,
  quota,
});

describe("days that begin within an hour of UTC", () => {
  afterAll(() => vi.unstubAllEnvs());

  it.each([
    ["Asia/Kolkata", "2026-03-10T18:30:00Z", true],
    ["Asia/Kathmandu", "2026-03-10T18:15:00Z", true],
    ["Australia/Adelaide", "2026-03-10T13:30:00Z", true],
    ["Asia/Shanghai", "2026-03-10T16:00:00Z", false],
    ["UTC", "2026-03-10T00:00:00Z", false],
  ])("puts the first quarter of a day in %s into its own bar", (zone, midnight, isPart) => {
    vi.stubEnv("TZ", zone);
    expect(hasPartHours(at(midnight))).toBe(isPart);
    const span = { startSeconds: at(midnight) - 900, endSeconds: at(midnight), by: "day" } as const;
    const { buckets } = usageSeries([quarter(at(midnight) - 900, 5), quarter(at(midnight), 7)], "quota", span);
    expect(buckets.map(({ values }) => values["a"])).toEqual([5, 7]);
  });
});
