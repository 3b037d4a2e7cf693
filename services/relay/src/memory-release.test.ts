import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { releaseMemory } from "./memory-release.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function relay() {
  const state = { calls: 0, begun: 0, bytes: 100, collections: 0 };
  const stop = releaseMemory({
    inFlight: () => state.calls,
    begun: () => state.begun,
    residentBytes: () => state.bytes,
    collect: () => {
      state.collections++;
      state.bytes = 110;
    },
    log: createLogger("test", "silent"),
  });
  return { state, stop };
}

describe("memory release after peak load", () => {
  it("runs once no call has run for some seconds", () => {
    const { state, stop } = relay();
    Object.assign(state, { calls: 512, bytes: 220 });
    vi.advanceTimersByTime(60_000);
    expect(state.collections).toBe(0);
    state.calls = 0;
    vi.advanceTimersByTime(19_000);
    expect(state.collections).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(state.collections).toBe(1);
    stop();
  });

  it("does not count an interval as idle if calls started and ended between two checks", () => {
    const { state, stop } = relay();
    state.bytes = 220;
    for (let second = 0; second < 100; second++) {
      state.begun += 500;
      vi.advanceTimersByTime(1_000);
    }
    expect(state.collections).toBe(0);
    vi.advanceTimersByTime(21_000);
    expect(state.collections).toBe(1);
    stop();
  });

  it("is skipped if the heap grew little", () => {
    const { state, stop } = relay();
    state.bytes = 119;
    vi.advanceTimersByTime(60_000);
    expect(state.collections).toBe(0);
    stop();
  });
});
