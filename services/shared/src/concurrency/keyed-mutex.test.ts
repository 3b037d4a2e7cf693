import { describe, expect, it } from "vitest";
import { createKeyedMutex } from "./keyed-mutex.ts";

const createGate = () => {
  const opened = Promise.withResolvers<void>();
  return { open: opened.resolve, run: () => opened.promise };
};

describe("keyed mutex", () => {
  it("runs calls of one key in order and calls of different keys side by side", async () => {
    const runExclusive = createKeyedMutex();
    const events: string[] = [];
    const ends = new Map<string, () => void>();
    const start = (name: string) => () => {
      events.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    };
    const [first, second] = [runExclusive("a", start("1")), runExclusive("a", start("2"))];
    const other = runExclusive("b", start("3"));
    await expect.poll(() => events.toSorted()).toEqual(["1", "3"]);
    ends.get("1")?.();
    expect(await first).toBe("1");
    await expect.poll(() => events).toContain("2");
    ends.get("2")?.();
    ends.get("3")?.();
    expect(await Promise.all([second, other])).toEqual(["2", "3"]);
  });

  it("releases the key when a run fails", async () => {
    const runExclusive = createKeyedMutex();
    await expect(runExclusive("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(runExclusive("a", () => Promise.resolve(1))).resolves.toBe(1);
  });

  it("lets a call of a free key overtake one that waits for its lock", async () => {
    const runExclusive = createKeyedMutex({ concurrencyMax: 2, waitingMax: 10 });
    const gate = createGate();
    const first = runExclusive("a", gate.run);
    const second = runExclusive("a", () => Promise.resolve("second"));
    await expect(runExclusive("b", () => Promise.resolve("other"))).resolves.toBe("other");
    gate.open();
    await first;
    await expect(second).resolves.toBe("second");
  });

  it("runs no more keys at once than its bound", async () => {
    const runExclusive = createKeyedMutex({ concurrencyMax: 3, waitingMax: 100 });
    let running = 0;
    let most = 0;
    const run = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => runExclusive(String(index), run)));
    expect(most).toBe(3);
  });

  it("refuses a caller with unavailable when too many wait", async () => {
    const runExclusive = createKeyedMutex({ concurrencyMax: 1, waitingMax: 1 });
    const gate = createGate();
    const running = runExclusive("a", gate.run);
    const waiting = runExclusive("b", () => Promise.resolve());
    await expect(runExclusive("c", () => Promise.resolve())).rejects.toMatchObject({ code: "unavailable" });
    gate.open();
    await Promise.all([running, waiting]);
    await expect(runExclusive("c", () => Promise.resolve("free"))).resolves.toBe("free");
  });
});
