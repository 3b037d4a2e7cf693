import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { percentileMs } from "@turnpike/contract/latency-scale";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
const HOUR = 3_600;
const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);
const today = now - (now % DAY);
const other = (totalMs: number, firstMs: number): string => JSON.stringify({ use_time_ms: totalMs, frt: firstMs });
const of = (userId: number, channelId: number) => ({ userId, username: `user${userId}`, channelId });

const calls = [
  ...Array.from({ length: 19 }, () =>
    usage({ ...of(1, 1), quota: 10, createdAtSeconds: now, isStream: true, other: other(800, 300) }),
  ),
  usage({ ...of(2, 2), quota: 1_000, createdAtSeconds: now, isStream: false, other: other(40_000, 40_000) }),
  usage({ ...of(2, 2), quota: 7, createdAtSeconds: today - 3 * DAY + HOUR, other: "{}", useTimeSeconds: 2 }),
  usage({ ...of(1, 1), type: 6, quota: 0, createdAtSeconds: now, content: "上游返回 503" }),
  usage({
    ...of(1, 1),
    type: 6,
    quota: 0,
    createdAtSeconds: now,
    content: "no such model",
    requestId: "the-request",
    other: JSON.stringify({ error_code: "x", input_content: "a secret of user 1" }),
  }),
];

beforeAll(async () => {
  world = await startBillingWorld();
  await world.publish(calls);
  await world.drained();
});
afterAll(() => world.stop());

const any: LogFilter = {
  type: 0,
  userId: 0,
  username: "",
  tokenName: "",
  modelName: "",
  startSeconds: 0,
  endSeconds: 0,
  channel: 0,
  group: "",
  requestId: "",
  tokenId: 0,
  error: "",
  sessionId: "",
  responseId: "",
};

describe("usage overview", () => {
  const overview = (startSeconds: number) => world.reports.getOverview({ startSeconds, endSeconds: now }, admin);

  it("returns the top users and models, on whole days of UTC", async () => {
    const { firstDay, users, channels } = await overview(now - 60);
    expect(firstDay).toBe(today - (now - 60 < today ? DAY : 0));
    expect(users.map(({ userId, username, count, quota }) => ({ userId, username, count, quota }))).toEqual([
      { userId: 2, username: "user2", count: 1, quota: 1_000 },
      { userId: 1, username: "user1", count: 19, quota: 190 },
    ]);
    expect(channels).toMatchObject([
      { channelId: 2, count: 1, quota: 1_000, errorCount: 0, totalMs: 40_000 },
      { channelId: 1, count: 19, quota: 190, errorCount: 2, totalMs: 19 * 800 },
    ]);
    expect((await overview(today - 5 * DAY)).users[0]).toMatchObject({ userId: 2, count: 2, quota: 1_007 });
  });

  it("returns the error rate and the percentiles of each hour", async () => {
    const { hours } = await overview(now - 60);
    const hour = hours.at(-1);
    expect(hour).toMatchObject({ hour: now - (now % HOUR), count: 20, errorCount: 2 });
    const [half, late] = [0.5, 0.99].map((share) => percentileMs(hour?.totalSteps ?? {}, share) ?? 0);
    expect(Math.abs((half ?? 0) - 800)).toBeLessThan(130);
    expect(Math.abs((late ?? 0) - 40_000)).toBeLessThan(8_000);
    // A non-streaming response has no first token.
    expect(Object.values(hour?.firstTokenSteps ?? {}).reduce((sum, count) => sum + count, 0)).toBe(19);
  });

  it("counts a repeated record once", async () => {
    await world.publish(calls);
    await world.drained();
    expect((await overview(now - 60)).users[1]).toMatchObject({ count: 19, quota: 190 });
  });

  it("is available to admins only, for at most a month", async () => {
    await expect(world.reports.getOverview({ startSeconds: 1, endSeconds: 2 }, actor(1))).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(overview(now - 40 * DAY)).rejects.toMatchObject({ code: "range_too_long" });
  });
});

describe("log scan", () => {
  it("reads every row once, newest first, also if many share a second", async () => {
    const seen: number[] = [];
    let after: { createdAt: number; id: number } | undefined;
    do {
      // oxlint-disable-next-line no-await-in-loop -- each step begins where the one before ended
      const { items, next } = await world.reports.scanLogs({ filter: any, after, limit: 4 }, admin);
      seen.push(...items.map(({ id }) => id));
      after = next;
    } while (after);
    expect(new Set(seen).size).toBe(calls.length);
    expect(seen).toHaveLength(calls.length);
  });

  it("applies the filter, and leaves out prompts and responses", async () => {
    const filter = { ...any, requestId: "the-request" };
    const { items } = await world.reports.scanLogs({ filter, after: undefined, limit: 10 }, admin);
    expect(items).toHaveLength(1);
    expect(items[0]?.otherJson).toContain("error_code");
    expect(items[0]?.otherJson).not.toContain("secret");
  });

  it("shows users only their own rows", async () => {
    const own = { ...any, userId: 2 };
    expect((await world.reports.scanLogs({ filter: own, after: undefined, limit: 10 }, actor(2))).items).toHaveLength(
      2,
    );
    await expect(world.reports.scanLogs({ filter: own, after: undefined, limit: 10 }, actor(1))).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});

describe("search", () => {
  const search = async (keyword: string, userId = 0) =>
    (await world.reports.searchLogs({ keyword, userId }, admin)).items;

  it("finds rows by type, by request, and by note prefix", async () => {
    expect(await search("6")).toHaveLength(2);
    expect(await search("2", 2)).toHaveLength(2);
    expect((await search("the-request"))[0]?.content).toBe("no such model");
    expect(await search("上游返回")).toHaveLength(1);
    expect(await search("返回")).toEqual([]);
    expect(await search("")).toEqual([]);
  });

  it("reads notes by an index", async () => {
    const { connection } = world;
    const plan = await connection.db
      ?.collection("logs")
      .find({ content: { $gt: "", $regex: /^no / } })
      .sort({ createdAt: -1, _id: -1 })
      .explain("queryPlanner");
    expect(JSON.stringify(plan)).toContain("search_note");
  });
});

describe("log search among many different notes", () => {
  const note = (minutes: number, content: string) =>
    usage({ ...of(9, 9), type: 6, quota: 0, createdAtSeconds: now - minutes * 60, content });
  const search = async (keyword: string, userId = 0) =>
    (await world.reports.searchLogs({ keyword, userId }, admin)).items.map(({ content }) => content);

  it("finds the newest rows, old rows, and those of one user", async () => {
    const notes = Array.from({ length: 40 }, (_, index) => note(index * 60, `late by ${index} hours`));
    await world.publish([...notes, note(3, "late, again"), note(90_000, "late by months")]);
    await world.drained();
    // The scan stops after a bounded time, on a busy machine before it reaches the oldest row.
    const found = await vi.waitFor(
      async () => {
        const rows = await search("late by");
        expect(rows).toHaveLength(41);
        return rows;
      },
      { timeout: 10_000 },
    );
    expect([found[0], found[39], found[40]]).toEqual(["late by 0 hours", "late by 39 hours", "late by months"]);
    expect(await search("late by 1 h")).toEqual(["late by 1 hours"]);
    expect(await search("late,", 9)).toEqual(["late, again"]);
    expect(await search("late", 1)).toEqual([]);
  });

  it("reads each of them by an index only", async () => {
    const logs = world.connection.db?.collection("logs");
    const content = { $gt: "", $regex: /^late/ };
    const plans = [
      logs?.find({ content: { $gt: "", $in: ["a", "b"] } }).hint("search_note"),
      logs?.find({ content, createdAt: { $gt: 5 } }).hint("search_note_by_time"),
      logs?.find({ content, userId: 9 }).hint("search_note_of_user"),
      logs?.find({ type: 6 }).hint("page_by_other_type"),
    ];
    for (const cursor of plans) {
      const plan = JSON.stringify(await cursor?.sort({ createdAt: -1, _id: -1 }).limit(9).explain("queryPlanner"));
      expect(plan).toContain("IXSCAN");
      expect(plan).not.toMatch(/"stage":"SORT"/);
    }
  });
});

describe("log retention", () => {
  it("deletes rows older than the option's limit, and keeps the sums", async () => {
    await world.setOption("LogRetentionDays", "2");
    await world.billing.jobs.retainLogs();
    await world.billing.jobs.sweepLogs();
    const { items } = await world.reports.scanLogs({ filter: any, after: undefined, limit: 100 }, admin);
    expect(items.filter(({ userId }) => userId !== 9)).toHaveLength(calls.length - 1);
    expect(
      (await world.reports.getOverview({ startSeconds: today - 5 * DAY, endSeconds: now }, admin)).users[0],
    ).toMatchObject({
      quota: 1_007,
    });
  });
});
