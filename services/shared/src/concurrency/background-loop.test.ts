import { once } from "node:events";
import { PassThrough } from "node:stream";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { createBackgroundLoop } from "./background-loop.ts";

const task = "test";
const NEVER_MS = Infinity;

function createReadableLog() {
  const messages: string[] = [];
  const stream = new PassThrough();
  stream.on("data", (line: Buffer) => void messages.push((JSON.parse(line.toString()) as { msg: string }).msg));
  return { log: pino(stream), messages };
}

describe("a background loop", () => {
  it("runs again and again until it is stopped", async () => {
    let runs = 0;
    const loop = createBackgroundLoop({ task, run: async () => void runs++, everyMs: 1 });
    loop.start();
    await expect.poll(() => runs).toBeGreaterThan(3);
    await loop.stop();
    const seen = runs;
    loop.wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toBe(seen);
  });

  it("runs once more, but not concurrently, when woken during a run", async () => {
    let active = 0;
    let activeMax = 0;
    let runs = 0;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = async (): Promise<void> => {
      activeMax = Math.max(activeMax, ++active);
      await gates[runs++]?.promise;
      active--;
    };
    const loop = createBackgroundLoop({ task, run, everyMs: NEVER_MS });
    loop.start();
    await expect.poll(() => runs).toBe(1);
    loop.wake();
    loop.wake();
    gates[0]?.resolve();
    await expect.poll(() => runs).toBe(2);
    gates[1]?.resolve();
    await expect.poll(() => active).toBe(0);
    expect({ runs, activeMax }).toEqual({ runs: 2, activeMax: 1 });
    await loop.stop();
  });

  it("uses the pause that a run returns", async () => {
    let runs = 0;
    const loop = createBackgroundLoop({ task, run: async () => (++runs < 3 ? 0 : NEVER_MS), everyMs: 3_600_000 });
    loop.start();
    await expect.poll(() => runs).toBe(3);
    await loop.stop();
  });
});

describe("an outage of a background loop", () => {
  it("retries a failed run and logs the outage and its end once", async () => {
    const { log, messages } = createReadableLog();
    let runs = 0;
    const run = async (): Promise<void> => {
      if (++runs < 4) throw new Error("no");
    };
    const loop = createBackgroundLoop({ task, run, everyMs: NEVER_MS, backoff: { firstMs: 0, maxMs: 1 }, log });
    loop.start();
    await expect.poll(() => messages).toEqual(["background task failed, will be retried", "background task recovered"]);
    expect(runs).toBe(4);
    await loop.stop();
  });

  it("aborts the run in progress when it is stopped, waits for it and does not report it", async () => {
    const { log, messages } = createReadableLog();
    const begun = Promise.withResolvers<void>();
    let isEnded = false;
    const run = async (signal: AbortSignal): Promise<void> => {
      begun.resolve();
      await once(signal, "abort");
      isEnded = true;
      throw new Error("aborted");
    };
    const loop = createBackgroundLoop({ task, run, everyMs: NEVER_MS, log });
    loop.start();
    await begun.promise;
    await loop.stop();
    expect({ isEnded, messages }).toEqual({ isEnded: true, messages: [] });
  });
});
