import { describe, expect, it } from "vitest";
import type { HoldRequest } from "./account-client.ts";
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
  const ample = createHighBalanceCache(() => nowMs);
  return { ample, pass: (ms: number): void => void (nowMs += ms) };
}

describe("an account", () => {
  it("is ample for a call that it covers a thousand times, and for no dearer one", () => {
    const { ample } = setUp();
    expect(ample.covers(request())).toBe(false);
    ample.remember(request(), held(10_000));
    expect(ample.covers(request())).toBe(true);
    expect(ample.covers(request({ amount: 11 }))).toBe(false);
  });

  it("is measured by the token's budget where that is smaller, and each token by its own", () => {
    const { ample } = setUp();
    ample.remember(request(), held(1_000_000, 9_999));
    expect(ample.covers(request())).toBe(false);
    expect(ample.covers(request({ tokenId: 3, amount: 1 }))).toBe(false);
  });

  it("is not ample while Redis is away, whatever it told a moment before", () => {
    let isThere = true;
    const ample = createHighBalanceCache(
      () => 0,
      undefined,
      () => isThere,
    );
    ample.remember(request(), held(1_000_000));
    expect(ample.covers(request())).toBe(true);
    isThere = false;
    expect(ample.covers(request())).toBe(false);
  });

  it("is not ample for a call with request limits", () => {
    const { ample } = setUp();
    ample.remember(request(), held(1_000_000));
    const limits = [{ name: "l", max: 1_000, periodMs: 1_000, counts: "starts" as const }];
    expect(ample.covers(request({ limits }))).toBe(false);
  });

  it.each([
    ["two seconds later", ({ pass }: ReturnType<typeof setUp>) => pass(2_000)],
    ["when the next answer tells another balance", ({ ample }) => ample.remember(request(), held(5))],
    ["once it is forgotten", ({ ample }) => ample.forget(1)],
  ] as [string, (setting: ReturnType<typeof setUp>) => void][])("is not ample %s", (_, happen) => {
    const setting = setUp();
    setting.ample.remember(request(), held(1_000_000));
    happen(setting);
    expect(setting.ample.covers(request())).toBe(false);
  });
});
