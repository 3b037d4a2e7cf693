import { describe, expect, it } from "vitest";
import { addSteps, latencyStep, percentileMs } from "./latency-scale.ts";

const listSteps = (times: readonly number[]): Record<number, number> => {
  const steps: Record<number, number> = {};
  for (const ms of times) addSteps(steps, { [latencyStep(ms)]: 1 });
  return steps;
};

describe("latency scale", () => {
  it("computes percentiles within 10 % of the exact ones", () => {
    const times = Array.from({ length: 2_000 }, (_, index) => 120 + index * 2);
    for (const share of [0.5, 0.95, 0.99]) {
      const exact = times[Math.ceil(share * times.length) - 1] ?? 0;
      const found = percentileMs(listSteps(times), share) ?? 0;
      expect(Math.abs(found - exact) / exact).toBeLessThan(0.1);
    }
  });

  it("accepts any time, from none to hours", () => {
    expect(latencyStep(0)).toBe(0);
    expect(latencyStep(9.9)).toBe(0);
    expect(latencyStep(10)).toBe(1);
    expect(latencyStep(24 * 3_600_000)).toBeLessThanOrEqual(60);
  });

  it("has no percentile without calls", () => {
    expect(percentileMs({}, 0.5)).toBeUndefined();
    expect(percentileMs({ 3: 0 }, 0.5)).toBeUndefined();
  });
});
