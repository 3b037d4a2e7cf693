import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../errors/app-error.ts";
import type { Logger } from "../log/log.ts";
import { createSnapshot } from "./snapshot.ts";

const unavailable = new AppError("unavailable", "connection refused");

/** A snapshot whose source returns what `source.response` does, and the lines it logged. */
function toSnapshot(source: { response: () => number }) {
  const lines: string[] = [];
  const keep =
    (level: string) =>
    (facts: object, message: string): void =>
      void lines.push(`${level}${"err" in facts ? " with error" : ""}: ${message}`);
  const log = { info: keep("info"), warn: keep("warn") } as unknown as Logger;
  const snapshot = createSnapshot({ name: "prices", initial: 0, fetch: async () => source.response(), log });
  return { snapshot, lines };
}

const fail = (error: Error) => (): number => {
  throw error;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("snapshot with an unavailable source", () => {
  it("keeps the old copy, retries each second, and logs once per outage", async () => {
    const source = { response: (): number => 7 };
    const { snapshot, lines } = toSnapshot(source);
    await snapshot.start();
    for (const next of [8, 9]) {
      const before = snapshot.current();
      source.response = fail(unavailable);
      await vi.advanceTimersByTimeAsync(90_000);
      expect(snapshot.current()).toBe(before);
      source.response = () => next;
      await vi.advanceTimersByTimeAsync(1_000);
      expect(snapshot.current()).toBe(next);
    }
    const outage = ["warn with error: snapshot refresh failed, retrying", "info: snapshot refresh recovered"];
    expect(lines).toEqual([...outage, ...outage]);
    snapshot.stop();
  });

  it("waits silently while services start, and logs when that lasts", async () => {
    const source = { response: fail(unavailable) };
    const { snapshot, lines } = toSnapshot(source);
    await snapshot.start();
    await vi.advanceTimersByTimeAsync(10_000);
    const waiting = "info: waiting for the owner of a snapshot";
    expect(lines).toEqual([waiting]);
    await vi.advanceTimersByTimeAsync(60_000);
    const late = "warn with error: snapshot refresh failed, retrying";
    expect(lines).toEqual([waiting, late]);
    expect(snapshot.isLoaded()).toBe(false);
    snapshot.stop();
  });

  it("loads soon after its source when services start", async () => {
    const source = { response: fail(unavailable) };
    const { snapshot } = toSnapshot(source);
    await snapshot.start();
    await vi.advanceTimersByTimeAsync(5_000);
    source.response = () => 7;
    await vi.advanceTimersByTimeAsync(100);
    expect(snapshot.current()).toBe(7);
    snapshot.stop();
  });

  it("logs an error at once that is not an outage, and a different one that follows", async () => {
    const source = { response: fail(new AppError("permission_denied", "not for you")) };
    const { snapshot, lines } = toSnapshot(source);
    await snapshot.start();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warn with error/);
    source.response = fail(new Error("internal failure"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lines).toHaveLength(2);
    snapshot.stop();
  });
});
