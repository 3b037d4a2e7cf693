import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeEvent } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { createLogger } from "@turnpike/shared/log/log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRelayDeadLetters } from "./dead-letters.ts";
import { Spool } from "./spool.ts";
import { createUsagePublisher } from "./usage-publisher.ts";
import { MessageRefused } from "./usage-stream.ts";

const BYTES_MAX = 16 * 1024;
/** The stream refuses whatever contains it. */
const POISON = "poison";
const log = createLogger("test", "silent");
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "turnpike-publisher-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const record = (requestId: string, other: Record<string, unknown> = {}): UsageRecord => ({
  requestId,
  type: 2,
  createdAtSeconds: 1_700,
  userId: 7,
  username: "ann",
  tokenId: 3,
  tokenName: "work",
  modelName: "gpt-4o",
  channelId: 1,
  channelName: "openai",
  group: "default",
  isStream: false,
  useTimeSeconds: 1,
  promptTokens: 10,
  completionTokens: 5,
  quota: 30,
  content: "",
  clientIp: "",
  other: JSON.stringify({ model_ratio: 1.25, ...other }),
});

/** A stream that refuses messages over its limit, as NATS does; while it is down, every publish fails. */
function openPublisher(owner = "relay-1") {
  const stream = { isDown: false, published: [] as UsageRecord[], largest: 0, attempts: 0, seen: new Set<string>() };
  const publish = async (payload: string, id: string): Promise<void> => {
    if (stream.isDown) throw new Error("no responders");
    stream.attempts++;
    if (payload.includes(POISON)) throw new MessageRefused("refused by the stream");
    const bytes = Buffer.byteLength(payload);
    if (bytes > 2 * BYTES_MAX) throw new MessageRefused("maximum payload exceeded");
    stream.largest = Math.max(stream.largest, bytes);
    if (stream.seen.has(id)) return;
    stream.seen.add(id);
    stream.published.push(...decodeEvent(usageRecorded, payload).data.records);
  };
  const spool = new Spool({ root, owner, bytesMax: 1e9, log });
  const deadLetters = createRelayDeadLetters({ folder: join(root, "dead-letters"), owner, log });
  const publisher = createUsagePublisher({
    publish,
    payloadBytesMax: () => BYTES_MAX,
    spool,
    deadLetters,
    source: "relay",
    log,
  });
  const idsSent = (): string[] => stream.published.map(({ requestId }) => requestId);
  return { stream, publisher, spool, idsSent };
}

const deadLetters = (owner = "relay-1"): { reason: string; payload: string }[] => {
  const path = join(root, "dead-letters", `${owner}.ndjson`);
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { reason: string; payload: string })
    : [];
};

describe("usage publisher", () => {
  it("splits a batch by bytes, so that no message exceeds the limit and every record is sent once", async () => {
    const { stream, publisher, idsSent } = openPublisher();
    const ids = Array.from({ length: 150 }, (_, index) => `call-${index}`);
    for (const id of ids) publisher.add(record(id, { input_content: "上".repeat(600) }));
    await publisher.stop(1_000);
    expect(idsSent().toSorted()).toEqual(ids.toSorted());
    expect(stream.largest).toBeLessThanOrEqual(BYTES_MAX);
    expect(JSON.parse(stream.published[0]?.other ?? "")).toMatchObject({ input_content: "上".repeat(600) });
  });

  it("sends a record that is too large without its details, with its cost and its price factors", async () => {
    const { stream, publisher } = openPublisher();
    publisher.add(record("before"));
    publisher.add({ ...record("large", { reasoning_effort: "x".repeat(1_100_000) }), modelName: "m".repeat(100_000) });
    publisher.add(record("after"));
    await publisher.stop(1_000);
    expect(stream.published).toHaveLength(3);
    const large = stream.published.find(({ requestId }) => requestId === "large");
    expect(large).toMatchObject({ quota: 30, promptTokens: 10, userId: 7, tokenId: 3 });
    expect(JSON.parse(large?.other ?? "")).toEqual({ model_ratio: 1.25, details_dropped: true });
  });

  it("dead-letters a spooled line that the stream refuses or that is unreadable, and sends the lines behind it", async () => {
    const dead = join(root, "relay-0");
    mkdirSync(dead);
    writeFileSync(join(dead, "pid"), "999999999");
    const line = (id: string, other = {}) =>
      JSON.stringify({
        id,
        type: "usage.calls.recorded.v1",
        source: "relay",
        time: "",
        data: { records: [record(id, other)] },
      });
    const refused = JSON.stringify({ id: "refused", type: "t", source: "relay", time: "", data: "y".repeat(100_000) });
    const lines = ["{ torn", line("first"), line("large", { a: "x".repeat(200_000) }), refused, line("last")];
    writeFileSync(join(dead, "000-000.ndjson"), `${lines.join("\n")}\n`);

    const { publisher, spool, idsSent } = openPublisher();
    spool.takeOver("relay-0");
    publisher.sendSpooled();
    await expect.poll(() => spool.isEmpty()).toBe(true);
    publisher.add(record("new"));
    await publisher.stop(1_000);
    expect(idsSent()).toEqual(["first", "large", "last", "new"]);
    expect(deadLetters().map(({ payload }) => payload.slice(0, 6))).toEqual(["{ torn", refused.slice(0, 6)]);
  });

  it("sends the other records of a batch at once when one of them is refused, and dead-letters that one alone", async () => {
    const { stream, publisher, spool, idsSent } = openPublisher();
    const startedAt = performance.now();
    const ids = Array.from({ length: 20 }, (_, index) => `call-${index}`);
    for (const id of [...ids.slice(0, 10), POISON, ...ids.slice(10)]) publisher.add(record(id));
    await expect.poll(idsSent).toEqual(ids);
    publisher.add(record("next"));
    await expect.poll(idsSent).toEqual([...ids, "next"]);
    console.log(`the records around a refused one were sent after ${Math.round(performance.now() - startedAt)} ms`);
    // The batch, each of its records once, and the next: nothing is tried a second time.
    expect(stream.attempts).toBe(1 + 21 + 1);
    expect(spool.isEmpty()).toBe(true);
    expect(deadLetters().map(({ reason, payload }) => [reason, payload.includes(POISON)])).toEqual([
      ["too_large", true],
    ]);
    await publisher.stop(1_000);
  });

  it("sends the other records of a spooled line, and the lines behind it, when one record is refused", async () => {
    const { stream, publisher, spool, idsSent } = openPublisher();
    stream.isDown = true;
    for (const id of ["one", POISON, "two"]) publisher.add(record(id));
    await expect.poll(() => spool.isEmpty()).toBe(false);
    publisher.add(record("three"));
    await expect.poll(() => publisher.spooledBytes()).toBeGreaterThan(1_500);
    stream.isDown = false;
    await expect.poll(idsSent, { timeout: 5_000 }).toEqual(["one", "two", "three"]);
    expect(deadLetters()).toHaveLength(1);
    await publisher.stop(1_000);
  });

  it("keeps records while the stream is down and sends them in order afterwards", async () => {
    const { stream, publisher, spool, idsSent } = openPublisher();
    stream.isDown = true;
    publisher.add(record("one"));
    await expect.poll(() => spool.isEmpty()).toBe(false);
    stream.isDown = false;
    await expect.poll(idsSent).toEqual(["one"]);
    await publisher.stop(1_000);
    expect(deadLetters()).toEqual([]);
  });
});
