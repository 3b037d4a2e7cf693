import { describe, expect, it } from "vitest";
import { createBackoff } from "./backoff.ts";

describe("backoff", () => {
  it("doubles up to its limit and resets after a long run", () => {
    let now = 0;
    const backoff = createBackoff({ firstMs: 250, lastMs: 1_500, resetAfterMs: 30_000, now: () => now });
    const waits = [1, 2, 3, 4].map(() => backoff.nextMs());
    expect(waits).toEqual([250, 500, 1_000, 1_500]);
    backoff.started();
    now = 30_000;
    expect(backoff.nextMs()).toBe(250);
  });
});
