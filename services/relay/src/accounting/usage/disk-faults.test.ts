import type * as NodeFs from "node:fs";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeEvent } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { toReleasedRecord } from "@turnpike/shared/accounts/recovered-usage";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { WalEntry } from "@turnpike/shared/accounts/write-ahead-log-format";

/** The disk: how many bytes it still takes, and whether it can be changed at all. */
const disk = vi.hoisted(() => ({ room: Infinity, isReadOnly: false, canCut: true }));
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof NodeFs>();
  const fail = (code: string): never => {
    throw Object.assign(new Error(`${code}: the disk does not take it`), { code });
  };
  const whileWritable = <Args extends unknown[], Result>(run: (...args: Args) => Result) => {
    return (...args: Args): Result => (disk.isReadOnly ? fail("EROFS") : run(...args));
  };
  const writeSync = (descriptor: number, bytes: Buffer, offset: number): number => {
    if (disk.room <= 0) fail("ENOSPC");
    const count = Math.min(bytes.length - offset, disk.room);
    disk.room -= count;
    return fs.writeSync(descriptor, bytes, offset, count);
  };
  const ftruncateSync = (descriptor: number, size: number): void =>
    disk.canCut ? fs.ftruncateSync(descriptor, size) : fail("EIO");
  return {
    ...fs,
    writeSync: whileWritable(writeSync),
    ftruncateSync: whileWritable(ftruncateSync),
    openSync: whileWritable(fs.openSync),
    mkdirSync: whileWritable(fs.mkdirSync),
    rmSync: whileWritable(fs.rmSync),
  };
});

// Test files share their imports: modules that another file has loaded have the real node:fs.
vi.resetModules();
const { createRelayDeadLetters } = await import("./dead-letters.ts");
const { Spool } = await import("./spool.ts");
const { createUsagePublisher } = await import("./usage-publisher.ts");
const { readWriteAheadLog, WriteAheadLog } = await import("./write-ahead-log.ts");

const log = createLogger("test", "silent");
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnpike-disk-"));
});
afterEach(() => {
  Object.assign(disk, { room: Infinity, isReadOnly: false, canCut: true });
  rmSync(root, { recursive: true });
});

const call = (requestId: string, amount: number, settled = true): WalEntry => ({
  requestId,
  userId: 7,
  entry: { amount, tokenId: 3, relayId: "r", settled, json: '{"u":"ann","m":"gpt-4","p":10,"q":4,"at":1700}' },
});
const costs = (): [string, number][] =>
  readWriteAheadLog(root, 2_000).map(({ requestId, quota }) => [requestId, quota]);

describe("the write-ahead log", () => {
  it("keeps no part of an entry that the disk took in part, and continues when there is room", () => {
    const writeAheadLog = new WriteAheadLog({ folder: root, log });
    expect(writeAheadLog.append(call("one", 30))).toBeDefined();
    const before = readFileSync(join(root, "journal-0"), "utf8");
    disk.room = 20;
    expect(writeAheadLog.append(call("two", 40))).toBeUndefined();
    expect(readFileSync(join(root, "journal-0"), "utf8")).toBe(before);
    disk.room = Infinity;
    expect(writeAheadLog.append(call("three", 50))).toBeDefined();
    expect(costs()).toEqual([
      ["one", 30],
      ["three", 50],
    ]);
  });

  it("separates what follows from a part that cannot be cut off", () => {
    const writeAheadLog = new WriteAheadLog({ folder: root, log });
    writeAheadLog.append(call("one", 30));
    Object.assign(disk, { room: 20, canCut: false });
    expect(writeAheadLog.append(call("two", 40))).toBeUndefined();
    disk.room = Infinity;
    expect(writeAheadLog.append(call("three", 50))).toBeDefined();
    expect(costs()).toEqual([
      ["one", 30],
      ["three", 50],
    ]);
  });

  it("refuses entries of a disk that is read-only from the start, and takes them when it is not any more", () => {
    disk.isReadOnly = true;
    const writeAheadLog = new WriteAheadLog({ folder: root, log });
    expect(writeAheadLog.append(call("one", 30))).toBeUndefined();
    disk.isReadOnly = false;
    expect(writeAheadLog.append(call("two", 40))).toBeDefined();
    expect(costs()).toEqual([["two", 40]]);
  });

  it("is emptied again and again while the disk refuses, without ending the process", () => {
    vi.useFakeTimers();
    const writeAheadLog = new WriteAheadLog({ folder: root, log });
    const receipt = writeAheadLog.append(call("one", 30));
    if (receipt) writeAheadLog.acknowledge(receipt);
    disk.isReadOnly = true;
    vi.advanceTimersByTime(5_000);
    disk.isReadOnly = false;
    vi.advanceTimersByTime(2_000);
    expect(costs()).toEqual([]);
    vi.useRealTimers();
  });

  it("begins new files when its folder was deleted", () => {
    vi.useFakeTimers();
    const writeAheadLog = new WriteAheadLog({ folder: root, log });
    writeAheadLog.append(call("one", 30));
    rmSync(join(root, "journal-0"));
    vi.advanceTimersByTime(1_500);
    expect(writeAheadLog.append(call("two", 40))).toBeDefined();
    expect(costs()).toEqual([["two", 40]]);
    vi.useRealTimers();
  });

  it("skips damaged lines in the middle, and reads none of them as the end of a call without cost", () => {
    const writeAheadLog = new WriteAheadLog({ folder: root, log });
    for (const id of ["one", "two", "three"]) writeAheadLog.append(call(id, 30));
    const path = join(root, "journal-0");
    const [head, one = "", two = "", three] = readFileSync(path, "utf8").split("\n");
    const damaged = [two.slice(0, two.length - 9), two.slice(0, 8), "\0".repeat(40), two.slice(9), "two", "two x "];
    writeFileSync(path, [head, one, two, ...damaged, three, ""].join("\n"));
    expect(costs()).toEqual([
      ["one", 30],
      ["two", 30],
      ["three", 30],
    ]);
  });
});

/** A publisher with a stream that can be down. */
function openPublisher() {
  const stream = { isDown: false, published: [] as UsageRecord[] };
  const publish = async (payload: string): Promise<void> => {
    if (stream.isDown) throw new Error("no responders");
    stream.published.push(...decodeEvent(usageRecorded, payload).data.records);
  };
  const owner = "relay-1";
  const spool = new Spool({ root, owner, bytesMax: 1e9, log });
  const deadLetters = createRelayDeadLetters({ folder: join(root, "dead-letters"), owner, log });
  const payloadBytesMax = () => 16 * 1024;
  const publisher = createUsagePublisher({ publish, payloadBytesMax, spool, deadLetters, source: "relay", log });
  const post = (requestId: string): void => publisher.add(toReleasedRecord({ requestId, userId: 7 }, 1_700));
  const idsSent = (): string[] => [...new Set(stream.published.map(({ requestId }) => requestId))].toSorted();
  return { stream, publisher, spool, post, idsSent };
}
const FULL = { room: 10 };
const READ_ONLY = { isReadOnly: true };

describe.each([
  ["full", FULL],
  ["read-only", READ_ONLY],
])("usage with a disk that is %s", (_, fault) => {
  it("is published all the same, and no call is refused", async () => {
    const { publisher, post, idsSent } = openPublisher();
    Object.assign(disk, fault);
    post("one");
    await expect.poll(idsSent).toEqual(["one"]);
    expect(publisher.hasRoom()).toBe(true);
    await publisher.stop();
  });

  it("refuses calls while NATS is down, too, until NATS is back; no record is lost", async () => {
    const { stream, publisher, post, idsSent } = openPublisher();
    Object.assign(disk, fault);
    stream.isDown = true;
    for (const id of ["one", "two"]) post(id);
    await expect.poll(publisher.hasRoom).toBe(false);
    post("three");
    stream.isDown = false;
    await expect.poll(idsSent).toEqual(["one", "three", "two"]);
    await expect.poll(publisher.hasRoom).toBe(true);
    await publisher.stop();
  });

  it("refuses calls while NATS is down, too, until the disk is back; no record is lost", async () => {
    const { stream, publisher, spool, post, idsSent } = openPublisher();
    Object.assign(disk, fault);
    stream.isDown = true;
    post("one");
    await expect.poll(publisher.hasRoom).toBe(false);
    Object.assign(disk, { room: Infinity, isReadOnly: false });
    await expect.poll(publisher.hasRoom).toBe(true);
    expect(spool.isEmpty()).toBe(false);
    stream.isDown = false;
    await expect.poll(idsSent).toEqual(["one"]);
    await publisher.stop();
  });

  it("is published although older usage is in the spool", async () => {
    const { stream, publisher, spool, post, idsSent } = openPublisher();
    stream.isDown = true;
    post("one");
    await expect.poll(() => spool.isEmpty()).toBe(false);
    Object.assign(disk, fault);
    stream.isDown = false;
    post("two");
    await expect.poll(idsSent).toEqual(["one", "two"]);
    expect(publisher.hasRoom()).toBe(true);
    await expect.poll(() => spool.isEmpty()).toBe(true);
    await publisher.stop();
  });
});

it("does not stop a relay whose spool cannot be written from the start", async () => {
  disk.isReadOnly = true;
  const { stream, publisher, spool, post, idsSent } = openPublisher();
  stream.isDown = true;
  post("one");
  await expect.poll(publisher.hasRoom).toBe(false);
  disk.isReadOnly = false;
  await expect.poll(publisher.hasRoom).toBe(true);
  stream.isDown = false;
  await expect.poll(idsSent).toEqual(["one"]);
  await expect.poll(() => spool.isEmpty()).toBe(true);
  await publisher.stop();
});
