import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHoldReleases, type Held } from "./hold-releases.ts";

const hold = (requestId: string): Held => ({ requestId, userId: 7, tokenId: 3, limits: [] });

describe("hold release", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is retried until Redis confirms it, each once", async () => {
    let isAway = true;
    const dropped: string[] = [];
    const giveBacks = createHoldReleases(({ requestId }) => {
      if (isAway) return Promise.reject(new Error("away"));
      dropped.push(requestId);
      return Promise.resolve();
    });
    giveBacks.add(hold("one"));
    giveBacks.add(hold("two"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([dropped, giveBacks.isEmpty()]).toEqual([[], false]);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([dropped, giveBacks.isEmpty()]).toEqual([["one", "two"], true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("continues with releases added while others were in progress", async () => {
    const dropped: string[] = [];
    const giveBacks = createHoldReleases(async ({ requestId }) => {
      dropped.push(requestId);
      if (requestId === "one") giveBacks.add(hold("late"));
    });
    giveBacks.add(hold("one"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(dropped).toEqual(["one", "late"]);
  });
});
