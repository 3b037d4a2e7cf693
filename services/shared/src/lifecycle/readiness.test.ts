import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { duringStartup } from "./readiness.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a check of what others give at the start", () => {
  it("passes when it is there", () => {
    let isThere = false;
    const check = duringStartup(() => isThere);
    expect(check()).toBe(false);
    isThere = true;
    expect(check()).toBe(true);
  });

  it("keeps nobody waiting for one who stays away", () => {
    const check = duringStartup(() => false);
    vi.advanceTimersByTime(14_000);
    expect(check()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(check()).toBe(true);
  });
});
