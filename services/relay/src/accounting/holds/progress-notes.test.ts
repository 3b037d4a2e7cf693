import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getNoteWait, NOTE_STEP, type ProgressNote, ProgressNotes } from "./progress-notes.ts";

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
    batches.push(String(args).trimEnd().split("\n"));
    return Promise.resolve(1);
  };
  const redis = { options: {}, sendCommand } as unknown as Redis;
  return { batches, notes: new ProgressNotes(redis, () => Date.now() + spentMs) };
}
const note = (json: string, waitMs = 8): ProgressNote => ({ toJson: () => json, waitMs });

describe("progress note", () => {
  it("may wait for a small part of the response's age", () => {
    for (const ageMs of [200, 500, 1_500, 10_000])
      expect(NOTE_STEP - 1 + getNoteWait(ageMs) / ageMs).toBeLessThanOrEqual(0.0911);
    expect([0, 600_000].map(getNoteWait)).toEqual([8, 100]);
  });

  it("is sent when the first is due, with the newest of each call that waits", async () => {
    const { batches, notes } = openNotes();
    notes.add(USER, "old", note("o1", 60_000));
    notes.add(USER, "old", note("o2", 60_000));
    notes.add(USER, "young", note("y"));
    expect(batches).toEqual([]);
    await vi.advanceTimersByTimeAsync(8);
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
    notes.add(USER, "slow", { toJson: spend(2), waitMs: 8 });
    await vi.advanceTimersByTimeAsync(8);
    notes.add(USER, "next", note("n"));
    await vi.advanceTimersByTimeAsync(8);
    expect(batches).toHaveLength(2);
    notes.add(USER, "busy", { toJson: spend(120), waitMs: 8 });
    await vi.advanceTimersByTimeAsync(8);
    notes.add(USER, "waiting", note("w"));
    await vi.advanceTimersByTimeAsync(90);
    expect(batches).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(10);
    expect(batches).toHaveLength(4);
  });
});
