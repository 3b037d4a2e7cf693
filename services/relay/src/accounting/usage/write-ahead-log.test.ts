import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WalEntry } from "@turnpike/shared/accounts/write-ahead-log-format";
import { WriteAheadLog, readWriteAheadLog } from "./write-ahead-log.ts";

const log = createLogger("test", "silent");
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnpike-journal-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const call = (requestId: string, amount: number, settled = true): WalEntry => ({
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

describe("write-ahead log", () => {
  it("lets a successor post a call's cost with the fields of its log row", () => {
    new WriteAheadLog({ folder, log }).append(call("one", 30));
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

  it("uses the last entry of a call: the cost replaces the estimate, and a call without cost is not posted", () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    writeAheadLog.append(call("one", 90, false));
    writeAheadLog.append(call("two", 90, false));
    writeAheadLog.append(call("three", 90, false));
    writeAheadLog.append(call("one", 30));
    writeAheadLog.append({ ...call("two", 0), entry: undefined });
    expect(costs()).toEqual([
      ["one", 30],
      ["three", 4],
    ]);
  });

  it("keeps the order of entries across both files after any number of rotations", async () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    for (let index = 0; index < 20_000; index++) {
      if (index % 100 === 0) await setTimeout(1);
      const early = writeAheadLog.append(call("one", 90, false));
      const late = writeAheadLog.append(call("one", index));
      if (early) writeAheadLog.acknowledge(early);
      if (late) writeAheadLog.acknowledge(late);
    }
    expect(costs()).toEqual([["one", 19_999]]);
    expect(bytes()).toBeLessThan(2 * 300 * 1024);
  });

  it("writes the entries of one tick at once before resolving, and after older entries of the same calls", async () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    const appended = [writeAheadLog.appendBatched(call("one", 10)), writeAheadLog.appendBatched(call("two", 20))];
    expect(bytes()).toBe(0);
    writeAheadLog.append(call("two", 25));
    expect(costs()).toEqual([
      ["one", 10],
      ["two", 25],
    ]);
    const [first, second] = await Promise.all(appended);
    expect(first).toBe(second);
    const third = await writeAheadLog.appendBatched(call("three", 30));
    expect(third).toMatchObject({ unconfirmed: 4 });
    expect(costs()).toHaveLength(3);
    writeAheadLog.close();
  });

  it("reports a failed write and counts none of its entries as appended", async () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    writeAheadLog.close();
    expect(await writeAheadLog.appendBatched(call("one", 10))).toBeUndefined();
  });

  it("keeps every entry that is not acknowledged, however many follow", () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    writeAheadLog.append(call("waiting", 1));
    for (let index = 0; index < 10_000; index++) {
      const receipt = writeAheadLog.append(call(`call-${index}`, 2));
      if (receipt) writeAheadLog.acknowledge(receipt);
    }
    expect(costs()).toContainEqual(["waiting", 1]);
  });

  it("ignores a last line cut by a crash, whose response was never sent", () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    writeAheadLog.append(call("one", 30));
    writeAheadLog.append(call("two", 30));
    const path = join(folder, "journal-0");
    truncateSync(path, statSync(path).size - 5);
    expect(costs()).toEqual([["one", 30]]);
  });

  it("is emptied shortly after the last acknowledgement and deleted when its relay stops", () => {
    vi.useFakeTimers();
    const writeAheadLog = new WriteAheadLog({ folder, log });
    const receipts = [writeAheadLog.append(call("one", 30)), writeAheadLog.append(call("two", 30))];
    vi.advanceTimersByTime(5_000);
    expect(costs()).toHaveLength(2);
    for (const receipt of receipts) if (receipt) writeAheadLog.acknowledge(receipt);
    vi.advanceTimersByTime(2_000);
    expect(bytes()).toBe(0);
    writeAheadLog.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("stays on disk if its relay stops before Redis acknowledged a call", () => {
    const writeAheadLog = new WriteAheadLog({ folder, log });
    writeAheadLog.append(call("one", 30));
    writeAheadLog.close();
    expect(costs()).toEqual([["one", 30]]);
  });
});
