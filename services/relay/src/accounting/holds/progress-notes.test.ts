import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getNoteStep, getNoteWait, type ProgressNote, ProgressNotes } from "./progress-notes.ts";

type Redis = ConstructorParameters<typeof ProgressNotes>[0];

const USER = 7;

/** Time that notes take; the rest of the clock is that of the timers. */
let spentMs = 0;
beforeEach(() => {
  spentMs = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function openNotes() {
  const batches: string[][] = [];
  const sendCommand = ({ args: [, , , ...args] }: { args: unknown[] }): Promise<unknown> => {
    batches.push(args.map(String));
    return Promise.resolve(1);
  };
  const redis = { options: {}, sendCommand } as unknown as Redis;
  return { batches, notes: new ProgressNotes(redis, () => Date.now() + spentMs) };
}
const note = (json: string, waitMs = 0): ProgressNote => ({ toJson: () => json, waitMs });

describe("progress note", () => {
  it("may wait for a small part of the response's age", () => {
    expect([0, 300, 499].map(getNoteWait)).toEqual([0, 0, 0]);
    for (const ageMs of [500, 700, 1_500, 3_000]) expect(getNoteWait(ageMs)).toBeLessThanOrEqual(0.03 * ageMs);
    expect(getNoteWait(600_000)).toBe(100);
    for (const ageMs of [0, 499, 500, 1_500, 10_000]) {
      const unknown = getNoteStep(ageMs) - 1 + (ageMs === 0 ? 0 : getNoteWait(ageMs) / ageMs);
      expect(unknown).toBeLessThan(0.08);
    }
  });

  it("is sent at once where it may not wait, together with the newest of each call that waits", () => {
    const { batches, notes } = openNotes();
    notes.add(USER, "old", note("o1", 60_000));
    notes.add(USER, "old", note("o2", 60_000));
    expect(batches).toEqual([]);
    notes.add(USER, "young", note("y"));
    expect(batches).toEqual([["old", "o2", "young", "y"]]);
  });

  it("waits for others as long as it may, and is not sent once its call has ended", async () => {
    const { batches, notes } = openNotes();
    notes.add(USER, "ended", note("e", 20));
    notes.remove(USER, "ended");
    notes.add(USER, "running", note("r", 30));
    await vi.advanceTimersByTimeAsync(19);
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(11);
    expect(batches).toEqual([["running", "r"]]);
  });

  it("waits longer once notes have kept the process busy for a while, not after a single slow one", async () => {
    const { batches, notes } = openNotes();
    const spend = (ms: number) => (): string => {
      spentMs += ms;
      return "s";
    };
    notes.add(USER, "slow", { toJson: spend(2), waitMs: 0 });
    notes.add(USER, "next", note("n"));
    expect(batches).toHaveLength(2);
    notes.add(USER, "busy", { toJson: spend(120), waitMs: 0 });
    notes.add(USER, "waiting", note("w"));
    await vi.advanceTimersByTimeAsync(90);
    expect(batches).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(10);
    expect(batches).toHaveLength(4);
  });
});
