import { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { Task, TaskState } from "@turnpike/proto/billing/v1/task_service";
import { belowCostFound } from "@turnpike/shared/events/billing";
import type { mongo } from "mongoose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFindings } from "../../../../services/billing/src/reconciliation/findings.ts";
import { reconcileLedger } from "../../../../services/billing/src/reconciliation/ledger-reconciliation.ts";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { mixedCalls } from "./cost-rows.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
beforeAll(async () => {
  world = await startBillingWorld();
});
afterAll(() => world?.stop());

/** COST_ROWS=100000 runs the same with more. */
const ROWS = Number(process.env["COST_ROWS"] ?? 5_000);

type Sums = { costCount: number; costQuota: number; cost: number; refunded: number };
const NO_SUMS: Sums = { costCount: 0, costQuota: 0, cost: 0, refunded: 0 };

/** The sums of all rows of the log, counted one by one. */
async function sumRows(): Promise<Sums> {
  const sums = { ...NO_SUMS };
  for await (const { type, quota, cost, refunded = 0 } of world.collections.logs.find({ type: 2 })) {
    expect(type).toBe(2);
    sums.refunded += refunded;
    if (cost === undefined) continue;
    sums.costCount++;
    sums.costQuota += quota - refunded;
    sums.cost += cost;
  }
  return sums;
}
async function sumCollection<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  query: mongo.Filter<Doc> = {},
): Promise<Sums> {
  const fields = Object.keys(NO_SUMS).map((name) => [name, { $sum: `$${name}` }]);
  const [sums] = await collection
    .aggregate<Sums>([{ $match: query }, { $group: { _id: null, ...Object.fromEntries(fields) } }, { $unset: "_id" }])
    .toArray();
  return sums ?? NO_SUMS;
}
/** What the reports add up to, by every dimension. */
async function sumReports() {
  const range = { startSeconds: untilSeconds - 8 * 86_400, endSeconds: untilSeconds + 86_400, limit: 10_000 };
  return Promise.all(
    ["channel", "model", "group", "user", "day"].map(async (by) => {
      const { rows, total, rowCount } = await world.reports.getMargins({ ...range, by }, admin);
      expect(rows).toHaveLength(rowCount);
      const sum = (field: "cost" | "knownQuota" | "knownCount" | "refunded" | "count" | "quota"): number =>
        rows.reduce((all, row) => all + row[field], 0);
      expect([sum("cost"), sum("knownQuota")]).toEqual([total?.cost, total?.knownQuota]);
      return {
        costCount: sum("knownCount"),
        costQuota: sum("knownQuota"),
        cost: sum("cost"),
        refunded: sum("refunded"),
      };
    }),
  );
}
/** What the hours of the site add up to. */
async function sumHours() {
  const range = { startSeconds: untilSeconds - 8 * 86_400, endSeconds: untilSeconds + 86_400, quarterHours: false };
  const { items } = await world.logs.listRollups({ userId: 0, username: "", ...range }, admin);
  const sum = (field: "knownCount" | "knownQuota" | "cost"): number => items.reduce((all, row) => all + row[field], 0);
  return { costCount: sum("knownCount"), costQuota: sum("knownQuota"), cost: sum("cost") };
}
async function expectAgreement(): Promise<void> {
  const { siteRollups, rollups, userDays, channelDays, marginDays, logs } = world.collections;
  const rows = await sumRows();
  for (const sums of [siteRollups, rollups, userDays, marginDays])
    expect(await sumCollection<mongo.Document>(sums as never)).toEqual(rows);
  expect({ ...(await sumHours()), refunded: rows.refunded }).toEqual(rows);
  for (const sums of await sumReports()) expect(sums).toEqual(rows);
  const withChannel = await sumCollection(marginDays, { channelId: { $gt: 0 } });
  expect(await sumCollection(channelDays)).toEqual(withChannel);
  expect(await logs.countDocuments({ type: { $ne: 2 }, cost: { $exists: true } })).toBe(0);
  const findings = createFindings();
  await reconcileLedger(world.connection, world.collections, findings);
  expect(findings.lines().filter((line) => line.startsWith("MISMATCH"))).toEqual([]);
}
const untilSeconds = Math.floor(Date.now() / 1000);

async function openUsers(firstUser: number, count: number): Promise<void> {
  for (let userId = firstUser; userId < firstUser + count; userId++)
    await world.accounts.openAccount({ userId, credit: 1_000_000_000, kind: "gift", reason: "" });
}
const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 15_000, interval: 100 });

describe("cost of calls", () => {
  it("adds up to the unit in every sum over thousands of mixed rows, sent twice", async () => {
    await openUsers(7_001, 5);
    const calls = mixedCalls(ROWS, { firstUser: 7_001, untilSeconds });
    for (let from = 0; from < calls.length; from += 200) await world.publish(calls.slice(from, from + 200));
    await world.publish(calls.slice(0, 200));
    await world.drained(300_000);
    const charged = calls.filter(({ type }) => type === 2);
    const known = charged.filter(({ cost }) => cost !== undefined);
    expect(await sumRows()).toEqual({
      costCount: known.length,
      costQuota: known.reduce((sum, { quota }) => sum + quota, 0),
      cost: known.reduce((sum, { cost = 0 }) => sum + cost, 0),
      refunded: 0,
    });
    expect(known.length).toBeLessThan(charged.length);
    await expectAgreement();
  }, 400_000);

  it("is replaced with the estimate of a dead relay's call, whose cost was unknown", async () => {
    await openUsers(7_101, 1);
    const record = usage({ userId: 7_101, quota: 90, cost: 30, costSource: "catalogue" });
    const { cost: _, ...estimate } = { ...record, quota: 50, recovered: true };
    await world.publish([estimate]);
    await world.drained();
    expect(await sumCollection(world.collections.userDays, { userId: 7_101 })).toEqual(NO_SUMS);
    await world.publish([record]);
    await world.drained();
    expect(await sumCollection(world.collections.userDays, { userId: 7_101 })).toMatchObject({
      costQuota: 90,
      cost: 30,
    });
    await expectAgreement();
  });
});

const ACCOUNT = {
  channelId: 5,
  channelName: "draw",
  channelType: 2,
  baseUrl: "http://upstream.example",
  keyHash: "hash",
  keyBox: "box",
};

const KNOWN = { cost: 40, costSource: "catalogue" };

/** A running task of a user of its own, charged 100 at a cost of 40. */
async function chargedTask(userId: number, about: { cost?: number; costSource?: string; quota?: number } = KNOWN) {
  const { quota = 100, ...known } = about;
  await openUsers(userId, 1);
  const requestId = `task-${userId}`;
  const fields = { requestId, platform: "mj", action: "IMAGINE", userId, username: `user${userId}`, quota };
  const { id } = await world.tasks.openTask({ task: Task.fromPartial({ ...fields, account: ACCOUNT }) });
  const state = TaskState.fromPartial({ code: 1 });
  await world.tasks.confirmTask({ id, upstreamId: `up-${userId}`, state, quota, account: undefined });
  const other = JSON.stringify({ task_platform: "mj" });
  await world.publish([usage({ requestId, userId, quota, modelName: "mj_imagine", other, ...known })]);
  await world.drained();
  return { id, requestId };
}
const fail = (id: number) =>
  world.tasks.reportTasks({
    reports: [{ id, state: TaskState.fromPartial({ status: "FAILURE", failReason: "no" }) }],
    pauseMs: 1,
  });
const sumUser = (userId: number) => sumCollection(world.collections.userDays, { userId });

describe("refund of a task", () => {
  it("reverses the cost where upstream reports the failure", async () => {
    const { id, requestId } = await chargedTask(7_201);
    await fail(id);
    await soon(() => sumUser(7_201)).toEqual({ costCount: 1, costQuota: 0, cost: 0, refunded: 100 });
    const row = await world.collections.logs.findOne({ requestId });
    expect(row).toMatchObject({ quota: 100, refunded: 100, cost: 0, reversedCost: 40 });
    await expectAgreement();
  });

  it("keeps the cost of a task that timed out, which upstream may charge", async () => {
    const { id, requestId } = await chargedTask(7_202);
    await world.collections.tasks.updateOne({ _id: id }, { $set: { deadlineAtMs: 1 } });
    await soon(() => sumUser(7_202)).toEqual({ costCount: 1, costQuota: 0, cost: 40, refunded: 100 });
    expect(await world.collections.logs.findOne({ requestId })).toMatchObject({ refunded: 100, cost: 40 });
    await expectAgreement();
  });

  it("reverses the cost of a task that was free for its user", async () => {
    const { id, requestId } = await chargedTask(7_205, { ...KNOWN, quota: 0 });
    await soon(() => sumUser(7_205)).toEqual({ costCount: 1, costQuota: 0, cost: 40, refunded: 0 });
    await fail(id);
    await soon(() => sumUser(7_205)).toEqual({ costCount: 1, costQuota: 0, cost: 0, refunded: 0 });
    expect(await world.collections.logs.findOne({ requestId })).toMatchObject({ cost: 0, reversedCost: 40 });
    await expectAgreement();
  });

  it("leaves an unknown cost unknown", async () => {
    const { id } = await chargedTask(7_203, {});
    await fail(id);
    await soon(() => sumUser(7_203)).toEqual({ ...NO_SUMS, refunded: 100 });
    await expectAgreement();
  });

  it("reverses the cost although consumption is not logged", async () => {
    await world.setOption("LogConsumeEnabled", "false");
    const { id } = await chargedTask(7_204);
    await fail(id);
    await soon(() => sumUser(7_204)).toEqual({ costCount: 1, costQuota: 0, cost: 0, refunded: 100 });
    await world.setOption("LogConsumeEnabled", "true");
  });
});

describe("margin report", () => {
  const range = { startSeconds: untilSeconds - 8 * 86_400, endSeconds: untilSeconds + 86_400 };
  it("lists the lowest first, and sums up what the limit cuts off", async () => {
    const all = await world.reports.getMargins({ ...range, by: "channel", limit: 100 }, admin);
    const margins = all.rows.map(({ knownQuota, cost }) => knownQuota - cost);
    expect(margins).toEqual(margins.toSorted((a, b) => a - b));
    const first = await world.reports.getMargins({ ...range, by: "channel", limit: 1 }, admin);
    expect(first.rows).toEqual(all.rows.slice(0, 1));
    expect([first.total, first.rowCount]).toEqual([all.total, all.rows.length]);
  });

  it("is for administrators, by known dimensions, over a year at most", async () => {
    const request = { ...range, by: "channel", limit: 1 };
    await expect(world.reports.getMargins(request, actor(7))).rejects.toMatchObject({ code: "permission_denied" });
    const wrong = world.reports.getMargins({ ...request, by: "__proto__" }, admin);
    await expect(wrong).rejects.toMatchObject({ code: "invalid_input" });
    const long = world.reports.getMargins({ ...request, startSeconds: 0 }, admin);
    await expect(long).rejects.toMatchObject({ code: "range_too_long" });
  });
});

describe("what is sold below cost", () => {
  it("is found by model and channel, and published once a day", async () => {
    const found: { total: number; items: readonly { kind: string; name: string }[] }[] = [];
    world.bus.listen(belowCostFound, (event) => void found.push(event));
    const about = { userId: 7_401, channelId: 71, channelName: "dear", quota: 100, cost: 160, costSource: "table" };
    await openUsers(7_401, 1);
    await world.publish([
      usage({ ...about, modelName: "cheap-model" }),
      usage({ ...about, modelName: "good-model", channelId: 72, channelName: "fair", quota: 200 }),
    ]);
    await world.drained();
    await world.billing.jobs.checkMargins();
    await world.billing.jobs.checkMargins();
    const names = (): string[] => found.flatMap(({ items }) => items.map(({ kind, name }) => `${kind} ${name}`));
    await soon(async () => names()).toEqual(expect.arrayContaining(["model cheap-model", "channel #71 dear"]));
    expect(names().filter((name) => /good-model|#72/.test(name))).toEqual([]);
    expect(new Set(names()).size).toBe(names().length);
    await world.setOption("MarginAlertPercent", "50");
    await world.billing.jobs.checkMargins();
    await soon(async () => names()).toEqual(expect.arrayContaining(["model good-model", "channel #72 fair"]));
    const known = found.length;
    await world.setOption("MarginAlertPercent", "-100");
    await world.publish([usage({ ...about, modelName: "other-model" })]);
    await world.drained();
    await world.billing.jobs.checkMargins();
    expect(found).toHaveLength(known);
  });
});

describe("cost in the log", () => {
  it("is returned with rows of all users and never with a user's own", async () => {
    await openUsers(7_301, 1);
    const record = usage({ userId: 7_301, quota: 9, cost: 5, costSource: "table" });
    await world.publish([record, usage({ userId: 7_301, quota: 9 })]);
    await world.drained();
    const filter = LogFilter.fromPartial({ type: 2, username: "user7301" });
    const all = await world.logs.listLogs({ filter, page: 1, pageSize: 10 }, admin);
    expect(all.items.map(({ cost, costSource }) => [cost, costSource])).toEqual([
      [undefined, ""],
      [5, "table"],
    ]);
    const own = { filter: LogFilter.fromPartial({ type: 2, userId: 7_301 }) };
    const rows = [
      ...(await world.logs.listLogs({ ...own, page: 1, pageSize: 10 }, admin)).items,
      ...(await world.reports.scanLogs({ ...own, after: undefined, limit: 10 }, admin)).items,
      ...(await world.reports.searchLogs({ keyword: record.requestId, userId: 7_301 }, admin)).items,
    ];
    expect(rows).toHaveLength(5);
    const hours = {
      userId: 7_301,
      username: "",
      startSeconds: untilSeconds - 86_400,
      endSeconds: untilSeconds + 86_400,
      quarterHours: false,
    };
    const { items } = await world.logs.listRollups(hours, admin);
    expect(items.map(({ quota, knownCount, cost }) => [quota, knownCount, cost])).toEqual([[18, 0, 0]]);
    expect(rows.filter(({ cost, costSource }) => cost !== undefined || costSource !== "")).toEqual([]);
  });
});
