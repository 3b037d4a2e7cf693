import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { duringStartup } from "./readiness.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("startup dependency check", () => {
  it("passes when the dependency is available", () => {
    let isThere = false;
    const check = duringStartup(() => isThere);
    expect(check()).toBe(false);
    isThere = true;
    expect(check()).toBe(true);
  });

  it("does not wait longer than its limit", () => {
    const check = duringStartup(() => false);
    vi.advanceTimersByTime(14_000);
    expect(check()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(check()).toBe(true);
  });
});
