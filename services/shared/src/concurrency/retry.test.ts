import { describe, expect, it } from "vitest";
import { getBackoffMs, retry } from "./retry.ts";

const NO_PAUSE = { firstMs: 0, maxMs: 0 };

describe("a backoff", () => {
  it("grows by its factor up to its maximum", () => {
    const backoff = { firstMs: 100, maxMs: 1_000, factor: 3 };
    expect([1, 2, 3, 4, 5_000].map((failures) => getBackoffMs(backoff, failures, 0.5))).toEqual([
      100, 300, 900, 1_000, 1_000,
    ]);
  });

  it("spreads the pauses of replicas by a fifth", () => {
    expect([0, 1].map((random) => getBackoffMs({ firstMs: 100, maxMs: 100 }, 1, random))).toEqual([80, 120]);
  });
});

describe("a retry", () => {
  it("returns the first success and reports the failures before it", async () => {
    let runs = 0;
    const failures: number[] = [];
    const run = async () => (++runs < 3 ? Promise.reject(new Error("no")) : "done");
    const onRetry = (_error: unknown, number: number): void => void failures.push(number);
    expect(await retry(run, { backoff: NO_PAUSE, onRetry })).toBe("done");
    expect(failures).toEqual([1, 2]);
  });

  it("throws the last error after its last attempt", async () => {
    let runs = 0;
    const run = () => Promise.reject(new Error(`failure ${++runs}`));
    await expect(retry(run, { backoff: NO_PAUSE, attemptsMax: 3 })).rejects.toThrow("failure 3");
  });

  it("does not repeat what cannot succeed", async () => {
    let runs = 0;
    const run = () => Promise.reject(new Error(`failure ${++runs}`));
    await expect(retry(run, { backoff: NO_PAUSE, isRetryable: () => false })).rejects.toThrow("failure 1");
  });

  it("ends its pause with the last error when it is aborted", async () => {
    const stopping = new AbortController();
    const run = () => Promise.reject(new Error("no"));
    const onRetry = (): void => stopping.abort();
    const retried = retry(run, { backoff: { firstMs: 3_600_000, maxMs: 3_600_000 }, signal: stopping.signal, onRetry });
    await expect(retried).rejects.toThrow("no");
  });
});
