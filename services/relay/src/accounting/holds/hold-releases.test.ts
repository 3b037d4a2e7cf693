import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHoldReleases, type Held } from "./hold-releases.ts";

const hold = (requestId: string): Held => ({ requestId, userId: 7, tokenId: 3, limits: [] });

describe("hold release", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is retried until Redis acknowledges it, each once", async () => {
    let isDown = true;
    const dropped: string[] = [];
    const releases = createHoldReleases(({ requestId }) => {
      if (isDown) return Promise.reject(new Error("away"));
      dropped.push(requestId);
      return Promise.resolve();
    });
    releases.add(hold("one"));
    releases.add(hold("two"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([dropped, releases.isEmpty()]).toEqual([[], false]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect([dropped, releases.isEmpty()]).toEqual([["one", "two"], true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("continues with releases added while others were in progress", async () => {
    const dropped: string[] = [];
    const releases = createHoldReleases(async ({ requestId }) => {
      dropped.push(requestId);
      if (requestId === "one") releases.add(hold("late"));
    });
    releases.add(hold("one"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(dropped).toEqual(["one", "late"]);
  });
});
