import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getReportWait, REPORT_STEP, type ProgressReport, ProgressReports } from "./progress-reports.ts";

type Redis = ConstructorParameters<typeof ProgressReports>[0];

const USER = 7;

/** Time that reports take; the rest of the clock is that of the timers. */
let spentMs = 0;
beforeEach(() => {
  spentMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function openReports() {
  const batches: string[][] = [];
  const sendCommand = ({ args: [, , , ...args] }: { args: unknown[] }): Promise<unknown> => {
    batches.push(String(args).trimEnd().split("\n"));
    return Promise.resolve(1);
  };
  const redis = { options: {}, sendCommand } as unknown as Redis;
  return { batches, reports: new ProgressReports(redis, () => Date.now() + spentMs) };
}
const report = (json: string, waitMs = 8): ProgressReport => ({ toJson: () => json, waitMs });

describe("progress report", () => {
  it("may wait for a small part of the response's age", () => {
    for (const ageMs of [200, 500, 1_500, 10_000])
      expect(REPORT_STEP - 1 + getReportWait(ageMs) / ageMs).toBeLessThanOrEqual(0.0911);
    expect([0, 600_000].map(getReportWait)).toEqual([8, 100]);
  });

  it("is sent when the first is due, with the newest of each call that waits", async () => {
    const { batches, reports } = openReports();
    reports.add(USER, "old", report("o1", 60_000));
    reports.add(USER, "old", report("o2", 60_000));
    reports.add(USER, "young", report("y"));
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(8);
    expect(batches).toEqual([["old", "o2", "young", "y"]]);
  });

  it("waits for others as long as it may, and is not sent once its call has ended", async () => {
    const { batches, reports } = openReports();
    reports.add(USER, "ended", report("e", 20));
    reports.remove(USER, "ended");
    reports.add(USER, "running", report("r", 30));
    await vi.advanceTimersByTimeAsync(19);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(11);
    expect(batches).toEqual([["running", "r"]]);
  });

  it("waits longer once reports have kept the process busy for a while, not after a single slow one", async () => {
    const { batches, reports } = openReports();
    const spend = (ms: number) => (): string => {
      spentMs += ms;
      return "s";
    };
    reports.add(USER, "slow", { toJson: spend(2), waitMs: 8 });
    await vi.advanceTimersByTimeAsync(8);
    reports.add(USER, "next", report("n"));
    await vi.advanceTimersByTimeAsync(8);
    expect(batches).toHaveLength(2);
    reports.add(USER, "busy", { toJson: spend(120), waitMs: 8 });
    await vi.advanceTimersByTimeAsync(8);
    reports.add(USER, "waiting", report("w"));
    await vi.advanceTimersByTimeAsync(90);
    expect(batches).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(10);
    expect(batches).toHaveLength(4);
  });
});
