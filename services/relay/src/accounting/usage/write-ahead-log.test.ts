import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createWriteAheadLog, type NotedCall, readWriteAheadLog } from "./write-ahead-log.ts";

const log = createLogger("test", "silent");
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnpike-journal-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const call = (requestId: string, amount: number, settled = true): NotedCall => ({
  requestId,
  userId: 7,
  entry: {
    amount,
    tokenId: 3,
    relayId: "r",
    settled,
    json: '{"u":"ann lee","m":"gpt-4","p":10,"o":5,"q":4,"at":1700}',
  },
});
const costs = (): [string, number][] =>
  readWriteAheadLog(folder, 2_000).map(({ requestId, quota }) => [requestId, quota]);
const bytes = (): number => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

describe("the journal of calls", () => {
  it("lets a successor book what a call cost, with the facts of its log row", () => {
    createWriteAheadLog({ folder, log }).note(call("one", 30));
    expect(readWriteAheadLog(folder, 2_000)).toMatchObject([
      {
        requestId: "one",
        userId: 7,
        tokenId: 3,
        username: "ann lee",
        modelName: "gpt-4",
        quota: 30,
        completionTokens: 5,
      },
    ]);
  });

  it("counts the last note of a call: an estimate gives way to the cost, and a call without cost is not booked", () => {
    const journal = createWriteAheadLog({ folder, log });
    journal.note(call("one", 90, false));
    journal.note(call("two", 90, false));
    journal.note(call("three", 90, false));
    journal.note(call("one", 30));
    journal.note({ ...call("two", 0), entry: undefined });
    expect(costs()).toEqual([
      ["one", 30],
      ["three", 4],
    ]);
  });

  it("keeps the order of notes over both files, however often they took turns", async () => {
    const journal = createWriteAheadLog({ folder, log });
    for (let index = 0; index < 20_000; index++) {
      if (index % 100 === 0) await setTimeout(1);
      const early = journal.note(call("one", 90, false));
      const late = journal.note(call("one", index));
      if (early) journal.confirm(early);
      if (late) journal.confirm(late);
    }
    expect(costs()).toEqual([["one", 19_999]]);
    expect(bytes()).toBeLessThan(2 * 300 * 1024);
  });

  it("writes what ended in one turn at once, before anybody hears of it, and behind older notes of the same calls", async () => {
    const journal = createWriteAheadLog({ folder, log });
    const noted = [journal.noteWithTurn(call("one", 10)), journal.noteWithTurn(call("two", 20))];
    expect(bytes()).toBe(0);
    journal.note(call("two", 25));
    expect(costs()).toEqual([
      ["one", 10],
      ["two", 25],
    ]);
    const [first, second] = await Promise.all(noted);
    expect(first).toBe(second);
    const third = await journal.noteWithTurn(call("three", 30));
    expect(third).toMatchObject({ unconfirmed: 4 });
    expect(costs()).toHaveLength(3);
    journal.close();
  });

  it("says so when the disk refuses a turn, and counts nothing as noted", async () => {
    const journal = createWriteAheadLog({ folder, log });
    journal.close();
    expect(await journal.noteWithTurn(call("one", 10))).toBeUndefined();
  });

  it("drops no note that is not confirmed, however many follow", () => {
    const journal = createWriteAheadLog({ folder, log });
    journal.note(call("waiting", 1));
    for (let index = 0; index < 10_000; index++) {
      const note = journal.note(call(`call-${index}`, 2));
      if (note) journal.confirm(note);
    }
    expect(costs()).toContainEqual(["waiting", 1]);
  });

  it("forgets a last line that was cut by the crash: its answer never left", () => {
    const journal = createWriteAheadLog({ folder, log });
    journal.note(call("one", 30));
    journal.note(call("two", 30));
    const path = join(folder, "journal-0");
    truncateSync(path, statSync(path).size - 5);
    expect(costs()).toEqual([["one", 30]]);
  });

  it("is empty a moment after the last call is confirmed, and gone when its relay stops", () => {
    vi.useFakeTimers();
    const journal = createWriteAheadLog({ folder, log });
    const notes = [journal.note(call("one", 30)), journal.note(call("two", 30))];
    vi.advanceTimersByTime(5_000);
    expect(costs()).toHaveLength(2);
    for (const note of notes) if (note) journal.confirm(note);
    vi.advanceTimersByTime(2_000);
    expect(bytes()).toBe(0);
    journal.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stays on disk when its relay stops before Redis knows of a call", () => {
    const journal = createWriteAheadLog({ folder, log });
    journal.note(call("one", 30));
    journal.close();
    expect(costs()).toEqual([["one", 30]]);
  });
});
