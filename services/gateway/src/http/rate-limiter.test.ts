import { describe, expect, it } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

describe("rate limit", () => {
  it("refuses what is above the limit, says how long to wait, and starts afresh in the next window", () => {
    let now = 1_000_000;
    const limiter = createRateLimiter({ limit: 2, windowSeconds: 10, now: () => now });
    expect([limiter.take("a"), limiter.take("a")]).toEqual([undefined, undefined]);
    expect(limiter.take("a")).toBe(10);
    expect(limiter.take("b")).toBeUndefined();
    now += 10_000;
    expect(limiter.take("a")).toBeUndefined();
  });
  it("counts a /64 of IPv6 addresses as one caller", () => {
    const limiter = createRateLimiter({ limit: 1, windowSeconds: 10, now: () => 0 });
    expect(limiter.take("2001:db8::1")).toBeUndefined();
    expect(limiter.take("2001:db8::ffff:2")).toBe(10);
    expect(limiter.take("2001:db8:0:1::1")).toBeUndefined();
  });
});
