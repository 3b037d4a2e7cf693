import { percentileMs } from "@turnpike/contract/latency-scale";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { usage } from "../usage-records.ts";

const HOUR = 3_600;
const now = Math.floor(Date.now() / 1000);
const thisHour = now - (now % HOUR);
const times = (totalMs: number, firstMs?: number): string => JSON.stringify({ use_time_ms: totalMs, frt: firstMs });
const failure = { type: 6, quota: 0, content: "HTTP 503", errorStatus: 503 } as const;

const good = { modelName: "good", channelId: 1, createdAtSeconds: now, isStream: true, other: times(800, 200) };
const calls = [
  usage(good),
  usage(good),
  usage({ ...good, channelId: 2, isStream: false, other: times(4_000) }),
  usage({ ...good, createdAtSeconds: now - 3 * HOUR, other: times(60_000, 50) }),
  usage({ ...good, createdAtSeconds: now - 25 * HOUR }),
  // An attempt that another channel made up for, and a call that failed at last.
  usage({ ...good, ...failure, other: '{"is_retried":true}' }),
  usage({ ...good, ...failure, channelId: 2, other: "{}" }),
  // The caller's fault, refused by the upstream.
  usage({ ...good, ...failure, errorStatus: 400, other: "{}" }),
  // No channel was reached: unknown names, and names of other groups.
  ...Array.from({ length: 20 }, (_, index) =>
    usage({ ...failure, modelName: `invented-${index}`, channelId: 0, createdAtSeconds: now }),
  ),
  usage({ ...failure, modelName: "good", channelId: 0, createdAtSeconds: now }),
  // Custom GPTs have any name; one channel serves them all.
  ...["a", "b", "c"].map((name) =>
    usage({ modelName: `gpt-4-gizmo-g-${name}`, channelId: 3, createdAtSeconds: now, other: times(10) }),
  ),
];

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
  await world.publish(calls);
  await world.drained();
});
afterAll(() => world.stop());

const list = async (by: string, keys: string[] = [], hours = 24) =>
  (await world.reports.listPartHours({ by, hours, keys }, admin)).parts;

describe("hour of a model or channel", () => {
  it("counts the calls of a model, and those whose last attempt failed at an upstream", async () => {
    const [part] = await list("model", ["good"]);
    expect(part?.hours).toEqual([
      { hour: thisHour - 3 * HOUR, count: 1, errorCount: 0, totalMs: 60_000 },
      { hour: thisHour, count: 3, errorCount: 1, totalMs: 5_600 },
    ]);
    const sum = (steps: Readonly<Record<number, number>> = {}): number =>
      Object.values(steps).reduce((total, count) => total + count, 0);
    expect([sum(part?.all?.totalSteps), sum(part?.all?.firstTokenSteps)]).toEqual([4, 3]);
    expect([sum(part?.recent?.totalSteps), sum(part?.recent?.firstTokenSteps)]).toEqual([3, 2]);
    expect(percentileMs(part?.recent?.totalSteps ?? {}, 0.99)).toBeLessThan(5_000);
    expect(percentileMs(part?.all?.totalSteps ?? {}, 0.99)).toBeGreaterThan(50_000);
  });

  it("counts every failed attempt of a channel, as its day does", async () => {
    const parts = await list("channel", ["1", "2"], 48);
    const sums = parts.map(({ key, hours }) => ({
      key,
      count: hours.reduce((sum, { count }) => sum + count, 0),
      errors: hours.reduce((sum, { errorCount }) => sum + errorCount, 0),
      totalMs: hours.reduce((sum, { totalMs }) => sum + totalMs, 0),
    }));
    expect(sums.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: "1", count: 4, errors: 2, totalMs: 800 * 3 + 60_000 },
      { key: "2", count: 1, errors: 1, totalMs: 4_000 },
    ]);
    const days = await world.collections.channelDays.find({ channelId: { $in: [1, 2] } }).toArray();
    const total = (field: "count" | "errors"): number => days.reduce((sum, day) => sum + day[field], 0);
    expect([total("count"), total("errors")]).toEqual([5, 3]);
  });

  it("has no document for a name that a caller invents, and one for all custom GPTs", async () => {
    const models = await world.collections.partHealth.distinct("key", { by: "model" });
    expect(models.toSorted()).toEqual(["good", "gpt-4-gizmo-*"]);
    expect((await list("model", ["gpt-4-gizmo-*"]))[0]?.hours[0]?.count).toBe(3);
  });

  it("is corrected to the call by a record that replaces an estimate", async () => {
    const real = usage({ modelName: "corrected", channelId: 9, createdAtSeconds: now, other: times(2_000) });
    await world.publish([{ ...real, createdAtSeconds: now - HOUR, other: times(9_000), recovered: true }]);
    await world.drained();
    await world.publish([real]);
    await world.drained();
    for (const part of [...(await list("model", ["corrected"])), ...(await list("channel", ["9"]))]) {
      expect(part.hours).toMatchObject([
        { hour: thisHour - HOUR, count: 0, errorCount: 0, totalMs: 0 },
        { hour: thisHour, count: 1, errorCount: 0, totalMs: 2_000 },
      ]);
      expect(Object.values(part.all?.totalSteps ?? {}).toSorted((a, b) => a - b)).toEqual([0, 1]);
    }
  });

  it("does not count a repeated record", async () => {
    await world.publish(calls);
    await world.drained();
    expect((await list("model", ["good"]))[0]?.hours.at(-1)).toMatchObject({ count: 3, errorCount: 1 });
  });

  it("expires after eight days", async () => {
    const { partHealth } = world.collections;
    const doc = await partHealth.findOne({ by: "channel", key: "1", hour: thisHour });
    expect(doc?.expiresAt).toEqual(new Date((thisHour + 8 * 24 * HOUR) * 1_000));
    const index = (await partHealth.indexes()).find(({ name }) => name === "expire");
    expect(index).toMatchObject({ key: { expiresAt: 1 }, expireAfterSeconds: 0 });
  });

  it("is read by an index", async () => {
    const plan = await world.collections.partHealth
      .find({ by: "channel", hour: { $gte: thisHour }, key: { $in: ["1"] } })
      .sort({ hour: 1, key: 1 })
      .explain("queryPlanner");
    expect(JSON.stringify(plan)).toContain("list_hours");
    expect(JSON.stringify(plan)).not.toContain('"stage":"SORT"');
  });

  it("is for administrators, that of a model also for services", async () => {
    const read = (by: string, as?: typeof admin) => world.reports.listPartHours({ by, hours: 1, keys: [] }, as);
    await expect(read("channel", actor(1))).rejects.toMatchObject({ code: "permission_denied" });
    await expect(read("channel")).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(read("model", actor(1))).rejects.toMatchObject({ code: "permission_denied" });
    expect((await read("model")).lastHour).toBe(thisHour);
    await expect(read("user", admin)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(list("model", [], 169)).rejects.toMatchObject({ code: "range_too_long" });
  });
});
