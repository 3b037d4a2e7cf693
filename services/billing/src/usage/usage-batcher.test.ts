import { describe, expect, it, vi } from "vitest";
import type { UsageMessage } from "./usage-applier.ts";
import { createUsageBatcher } from "./usage-batcher.ts";
import { decodeUsage } from "./usage-decoder.ts";

const message = (records: number): UsageMessage => ({
  records: Array.from({ length: records }, () => ({}) as UsageMessage["records"][number]),
  unreadable: [],
  isSigned: true,
  deliveries: 1,
  ack: () => undefined,
  retryAfter: () => undefined,
  working: () => undefined,
});

/** An applier whose batches end when the test resolves them. */
function manual() {
  const batches: { sizes: number[]; end: () => void }[] = [];
  const apply = (messages: readonly UsageMessage[]): Promise<void> =>
    new Promise((resolve) => {
      batches.push({ sizes: messages.map(({ records }) => records.length), end: () => resolve() });
    });
  return { apply, batches };
}

describe("usage intake", () => {
  it("applies messages that arrive within a tenth of a second together", async () => {
    vi.useFakeTimers();
    try {
      const { apply, batches } = manual();
      const batcher = createUsageBatcher(apply);
      await batcher.add(message(1));
      await batcher.add(message(2));
      expect(batches).toHaveLength(0);
      await vi.advanceTimersByTimeAsync(100);
      expect(batches.map(({ sizes }) => sizes)).toEqual([[1, 2]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("waits longer for others after a large batch, and no longer for many messages", async () => {
    vi.useFakeTimers();
    try {
      const { apply, batches } = manual();
      const batcher = createUsageBatcher(apply);
      await batcher.add(message(20));
      await vi.advanceTimersByTimeAsync(100);
      await batcher.add(message(1));
      await vi.advanceTimersByTimeAsync(399);
      expect(batches).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(batches).toHaveLength(2);
      batches[0]?.end();
      await vi.advanceTimersByTimeAsync(0);
      await Promise.all(Array.from({ length: 150 }, () => batcher.add(message(1))));
      expect(batches.map(({ sizes }) => sizes.length)).toEqual([1, 1, 150]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("stops receiving while two batches are in progress and a third is full", async () => {
    const { apply, batches } = manual();
    const batcher = createUsageBatcher(apply);
    await batcher.add(message(6_000));
    await batcher.add(message(6_000));
    let hasRoom = false;
    const third = batcher.add(message(6_000)).then(() => (hasRoom = true));
    await Promise.resolve();
    expect([batches.length, hasRoom]).toEqual([2, false]);
    batches[0]?.end();
    await third;
    expect(batches).toHaveLength(3);
  });

  it("finishes what it has received", async () => {
    const { apply, batches } = manual();
    const batcher = createUsageBatcher(apply);
    await batcher.add(message(1));
    let isDone = false;
    const finished = batcher.finish().then(() => (isDone = true));
    await expect.poll(() => batches.length).toBe(1);
    expect(isDone).toBe(false);
    batches[0]?.end();
    await finished;
  });
});

describe("usage stream message", () => {
  const envelope = (data: unknown) => JSON.stringify({ id: "m", type: "t", source: "relay", time: "", data });

  it.each([
    ["text that is no JSON", "{"],
    ["something else than an envelope", "[1]"],
    ["an envelope without records", envelope({})],
    ["an empty list", envelope({ records: [] })],
  ])("is dead-lettered as a whole when it is %s", (_, text) => {
    expect(decodeUsage(text)).toMatchObject({ records: [], unreadable: [{ payload: text }] });
  });
});
