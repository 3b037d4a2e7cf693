import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { whileStarting } from "./readiness.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a check of what others give at the start", () => {
  it("passes when it is there", () => {
    let isThere = false;
    const check = whileStarting(() => isThere);
    expect(check()).toBe(false);
    isThere = true;
    expect(check()).toBe(true);
  });

  it("keeps nobody waiting for one who stays away", () => {
    const check = whileStarting(() => false);
    vi.advanceTimersByTime(14_000);
    expect(check()).toBe(false);
    vi.advanceTimersByTime(1_000);
    expect(check()).toBe(true);
  });
});
