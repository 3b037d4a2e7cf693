import { describe, expect, it } from "vitest";
import { createLiveHealth } from "./live-health.ts";

type Served = Parameters<ReturnType<typeof createLiveHealth>["record"]>[0]["channels"][number];
const nothing = { calls: 0, failures: 0, latencyMs: 0, openKeys: 0, trialKeys: 0, keys: [], errors: [] };
const served: Served = { channelId: 7, ...nothing };
const error = (message: string, atMs: number) => ({ message, status: 500, atMs });

function world() {
  const clock = { ms: 1_000_000 };
  const live = createLiveHealth({ nowMs: () => clock.ms });
  const report = (relayId: string, over: Partial<Served>) =>
    live.record({ relayId, atMs: clock.ms, channels: [{ ...served, ...over }] });
  return { clock, live, report };
}

describe("channel health", () => {
  it("is idle before the first report", () => {
    expect(world().live.of(7, 1)).toEqual({ state: "idle", calls: 0, errorRate: 0, latencyMs: 0, errors: [] });
  });

  it("sums the reports of all relays, newest errors first", () => {
    const { clock, live, report } = world();
    report("a", { calls: 3, failures: 1, latencyMs: 400, errors: [error("first", 990_000)] });
    clock.ms += 5_000;
    report("b", { calls: 5, failures: 1, latencyMs: 800, errors: [error("second", 1_001_000)] });
    expect(live.of(7, 1)).toEqual({
      state: "closed",
      calls: 8,
      errorRate: 0.25,
      latencyMs: 200,
      errors: [
        { message: "second", status: 500, atSeconds: 1_001 },
        { message: "first", status: 500, atSeconds: 990 },
      ],
    });
  });

  it("drops what is older than five minutes", () => {
    const { clock, live, report } = world();
    report("a", { calls: 3, failures: 3, errors: [error("old", 1)] });
    clock.ms += 300_001;
    report("b", { calls: 1 });
    expect(live.of(7, 1)).toMatchObject({ calls: 1, errorRate: 0, errors: [] });
  });

  it.each([
    [{ openKeys: 2 }, 2, "open"],
    [{ openKeys: 1, trialKeys: 1 }, 2, "half_open"],
    [{ openKeys: 1 }, 2, "partial"],
    [{ trialKeys: 1 }, 1, "half_open"],
    [{}, 1, "idle"],
  ])("reports, with %j of %d keys, %s", (breakers, keyCount, state) => {
    const { live, report } = world();
    report("a", breakers);
    expect(live.of(7, keyCount).state).toBe(state);
  });

  it("uses each relay's last report, and none of a relay that stopped", () => {
    const { clock, live, report } = world();
    report("a", { openKeys: 1, calls: 5, failures: 5 });
    report("a", { calls: 1 });
    expect(live.of(7, 1).state).toBe("closed");
    report("b", { openKeys: 1 });
    expect(live.of(7, 1).state).toBe("open");
    clock.ms += 21_000;
    expect(live.of(7, 1).state).toBe("closed");
  });
});
