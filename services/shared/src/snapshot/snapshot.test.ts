import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../errors/app-error.ts";
import type { Logger } from "../log/log.ts";
import { createSnapshot } from "./snapshot.ts";

const away = new AppError("unavailable", "nobody listens");

/** A snapshot whose source answers what `source.answer` does, and what was logged of it. */
function snapshotOf(source: { answer: () => number }) {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (facts: object, message: string): void =>
      void lines.push(`${level}${"err" in facts ? " with error" : ""}: ${message}`);
  const log = { info: keep("info"), warn: keep("warn") } as unknown as Logger;
  const snapshot = createSnapshot({ name: "prices", initial: 0, fetch: async () => source.answer(), log });
  return { snapshot, lines };
}

const fail = (error: Error) => (): number => {
  throw error;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("snapshot with an unavailable source", () => {
  it("keeps the old copy, retries each second, and logs once per outage", async () => {
    const source = { answer: (): number => 7 };
    const { snapshot, lines } = snapshotOf(source);
    await snapshot.start();
    for (const next of [8, 9]) {
      const before = snapshot.current();
      source.answer = fail(away);
      await vi.advanceTimersByTimeAsync(90_000);
      expect(snapshot.current()).toBe(before);
      source.answer = () => next;
      await vi.advanceTimersByTimeAsync(1_000);
      expect(snapshot.current()).toBe(next);
    }
    const outage = [
      "warn with error: a snapshot could not be fetched; the old one stays, and it is tried until it can",
      "info: a snapshot could be fetched again",
    ];
    expect(lines).toEqual([...outage, ...outage]);
    snapshot.stop();
  });

  it("is waited for quietly while services start, and told when that lasts", async () => {
    const source = { answer: fail(away) };
    const { snapshot, lines } = snapshotOf(source);
    await snapshot.start();
    await vi.advanceTimersByTimeAsync(10_000);
    const waiting = "info: waiting for the service that a snapshot comes from";
    expect(lines).toEqual([waiting]);
    await vi.advanceTimersByTimeAsync(60_000);
    const late = "warn with error: a snapshot could not be fetched; there is none yet, and it is tried until it can";
    expect(lines).toEqual([waiting, late]);
    expect(snapshot.isLoaded()).toBe(false);
    snapshot.stop();
  });

  it("is there soon after its source when services start", async () => {
    const source = { answer: fail(away) };
    const { snapshot } = snapshotOf(source);
    await snapshot.start();
    await vi.advanceTimersByTimeAsync(5_000);
    source.answer = () => 7;
    await vi.advanceTimersByTimeAsync(100);
    expect(snapshot.current()).toBe(7);
    snapshot.stop();
  });

  it("tells at once what is no outage, and what comes instead of it", async () => {
    const source = { answer: fail(new AppError("permission_denied", "not for you")) };
    const { snapshot, lines } = snapshotOf(source);
    await snapshot.start();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warn with error/);
    source.answer = fail(new Error("internal failure"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lines).toHaveLength(2);
    snapshot.stop();
  });
});
