import { describe, expect, it } from "vitest";
import type { HoldRequest } from "./account-requests.ts";
import { createHighBalanceCache } from "./high-balance-cache.ts";

const request = (changes: Partial<HoldRequest> = {}): HoldRequest => ({
  requestId: "r",
  userId: 1,
  tokenId: 2,
  amount: 10,
  least: 10,
  limits: [],
  json: () => "{}",
  ...changes,
});
const held = (available: number, tokenAvailable?: number) => ({ available, tokenAvailable });

function setUp() {
  let nowMs = 0;
  const highBalances = createHighBalanceCache(() => nowMs);
  return { highBalances, pass: (ms: number): void => void (nowMs += ms) };
}

describe("high-balance cache", () => {
  it("covers a call whose cost the balance covers a thousand times, and no more expensive one", () => {
    const { highBalances } = setUp();
    expect(highBalances.covers(request())).toBe(false);
    highBalances.remember(request(), held(10_000));
    expect(highBalances.covers(request())).toBe(true);
    expect(highBalances.covers(request({ amount: 11 }))).toBe(false);
  });

  it("leaves half of a balance, however many relays start calls on it", () => {
    const [relays, callsAtOnce, balance] = [8, 500, 1_000_000];
    const highBalances = createHighBalanceCache(
      () => 0,
      undefined,
      undefined,
      () => relays,
    );
    highBalances.remember(request(), held(balance));
    const amount = [2_000, 1_000, 500, 126, 125, 10].find((cost) => highBalances.covers(request({ amount: cost })));
    expect(amount).toBe(125);
    expect(relays * callsAtOnce * (amount ?? 0)).toBeLessThanOrEqual(balance / 2);
  });

  it("uses the token's budget if that is smaller, separately for each token", () => {
    const { highBalances } = setUp();
    highBalances.remember(request(), held(1_000_000, 9_999));
    expect(highBalances.covers(request())).toBe(false);
    expect(highBalances.covers(request({ tokenId: 3, amount: 1 }))).toBe(false);
  });

  it("covers no call while Redis is down, whatever balance was cached", () => {
    let isThere = true;
    const highBalances = createHighBalanceCache(
      () => 0,
      undefined,
      () => isThere,
    );
    highBalances.remember(request(), held(1_000_000));
    expect(highBalances.covers(request())).toBe(true);
    isThere = false;
    expect(highBalances.covers(request())).toBe(false);
  });

  it("covers no call with request limits", () => {
    const { highBalances } = setUp();
    highBalances.remember(request(), held(1_000_000));
    const limits = [{ name: "l", max: 1_000, periodMs: 1_000, counts: "starts" as const }];
    expect(highBalances.covers(request({ limits }))).toBe(false);
  });

  it.each([
    ["two seconds later", ({ pass }: ReturnType<typeof setUp>) => pass(2_000)],
    ["when the next response reports another balance", ({ highBalances }) => highBalances.remember(request(), held(5))],
    ["once it is forgotten", ({ highBalances }) => highBalances.forget(1)],
  ] as [string, (setting: ReturnType<typeof setUp>) => void][])("covers no call %s", (_, happen) => {
    const setting = setUp();
    setting.highBalances.remember(request(), held(1_000_000));
    happen(setting);
    expect(setting.highBalances.covers(request())).toBe(false);
  });
});
