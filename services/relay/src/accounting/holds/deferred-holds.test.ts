import { describe, expect, it, vi } from "vitest";
import { createLogger } from "@turnpike/shared/log/log";
import type { HoldResponse, HoldRequest } from "./account-requests.ts";
import { createHighBalanceCache } from "./high-balance-cache.ts";
import { DeferredHolds } from "./deferred-holds.ts";

const request: HoldRequest = {
  requestId: "r",
  userId: 1,
  tokenId: 2,
  amount: 10,
  least: 10,
  limits: [],
  json: () => "{}",
};

const HELD: HoldResponse = { outcome: "held", amount: 10, available: 1_000_000, tokenAvailable: 7 };

function setUp(response: HoldResponse | Error = HELD, diskWorks = true) {
  const steps: string[] = [];
  const receipt = { unconfirmed: 0 };
  const highBalances = createHighBalanceCache(() => 0);
  highBalances.remember(request, { available: 1_000_000, tokenAvailable: undefined });
  const holds = new DeferredHolds({
    accounts: {
      relayId: "relay",
      hold: () => {
        steps.push("hold");
        return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
      },
      flush: () => void steps.push("flush"),
    },
    highBalances,
    writeAheadLog: {
      append: ({ entry }) => {
        steps.push(`append ${entry?.amount ?? 0}`);
        return diskWorks ? receipt : undefined;
      },
      acknowledge: () => void steps.push("acknowledge"),
    },
    loadAccount: () => Promise.resolve(void steps.push("load")),
    log: createLogger("test", "silent"),
  });
  return { steps, highBalances, open: () => holds.open(request) };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("deferred hold of a high-balance account", () => {
  it("is never placed if the call ends soon", () => {
    vi.useFakeTimers();
    const { steps, open } = setUp();
    const hold = open();
    vi.advanceTimersByTime(19);
    expect(hold.end()).toMatchObject({ wasSent: false, wasAppended: false });
    vi.advanceTimersByTime(100);
    expect(steps).toEqual([]);
    vi.useRealTimers();
  });

  it("is placed once if the call continues, and must then be settled or released", () => {
    vi.useFakeTimers();
    const { steps, open } = setUp();
    const hold = open();
    vi.advanceTimersByTime(100);
    hold.secure();
    expect(steps).toEqual(["hold"]);
    expect(hold.end()).toMatchObject({ wasSent: true, wasAppended: false });
    vi.useRealTimers();
  });

  it("is appended to disk before part of the response is sent, and not again once Redis has it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { steps, open } = setUp();
    const hold = open();
    hold.secure();
    hold.secure();
    expect(steps).toEqual(["append 10"]);
    vi.advanceTimersByTime(100);
    await settled();
    expect(steps).toEqual(["append 10", "hold", "acknowledge"]);
    expect(hold.end()).toMatchObject({ wasSent: true, wasAppended: true });
    vi.useRealTimers();
  });

  it("is in Redis before part of the response is sent if the disk fails", () => {
    const { steps, open } = setUp(HELD, false);
    const hold = open();
    hold.secure();
    expect(steps).toEqual(["append 10", "hold", "flush"]);
    expect(hold.end()).toMatchObject({ wasSent: true, wasAppended: false });
  });

  it("leaves a short call that was appended, and its entry, to the settlement", () => {
    const { steps, open } = setUp();
    const hold = open();
    hold.secure();
    expect(hold.end()).toEqual({ wasSent: false, wasAppended: true, receipt: { unconfirmed: 0 } });
    expect(steps).toEqual(["append 10"]);
  });

  it("reports the remaining balance", async () => {
    const { highBalances, open } = setUp();
    open().place();
    await settled();
    expect(highBalances.covers(request)).toBe(false);
  });

  it.each<[string, HoldResponse | Error, boolean, string[]]>([
    ["is refused after all", { outcome: "user_quota", available: 3 }, true, ["hold", "flush"]],
    ["meets an account that Redis lost", { outcome: "not_loaded" }, false, ["hold", "flush", "load"]],
    ["meets no Redis", new Error("away"), false, ["hold", "flush"]],
  ])("makes the next call request its hold first if it %s", async (_, response, isRefused, steps) => {
    const world = setUp(response);
    const hold = world.open();
    hold.place();
    await settled();
    expect(world.highBalances.covers(request)).toBe(false);
    expect(hold.isRefused()).toBe(isRefused);
    expect(world.steps).toEqual(steps);
  });

  it("is placed at once if too many calls have no hold", () => {
    const { steps, open } = setUp();
    const holds = Array.from({ length: 501 }, open);
    expect(steps).toEqual(["hold"]);
    for (const hold of holds) hold.end();
  });
});
