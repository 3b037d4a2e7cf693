import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMemoryRateLimiter } from "./memory-rate-limiter.ts";

describe("a rate limit in memory", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("refuses what exceeds the limit, reports the time to wait, and starts again in the next window", async () => {
    const limiter = createMemoryRateLimiter({ max: 2, windowSeconds: 10 });
    expect([await limiter.take("a"), await limiter.take("a")]).toEqual([undefined, undefined]);
    expect(await limiter.take("a")).toBe(10);
    expect(await limiter.take("b")).toBeUndefined();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await limiter.take("a")).toBe(6);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await limiter.take("a")).toBeUndefined();
  });

  it("forgets the oldest windows rather than growing without bound", async () => {
    const limiter = createMemoryRateLimiter({ max: 1, windowSeconds: 10, subjectsMax: 2 });
    for (const subject of ["a", "b", "c"]) expect(await limiter.take(subject)).toBeUndefined();
    // One timer for each window.
    expect(vi.getTimerCount()).toBe(2);
    expect(await limiter.take("c")).toBe(10);
    expect(await limiter.take("a")).toBeUndefined();
  });
});
