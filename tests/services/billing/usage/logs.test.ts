import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { toEventRow, toUsageRow } from "../../../../services/billing/src/logs/log-row.ts";
import { tallyRows, writeTallies } from "../../../../services/billing/src/logs/log-tallies.ts";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";
import { usage } from "../usage-records.ts";

let world: BillingWorld;
const HOUR = 3_600;
const now = Math.floor(Date.now() / 1000);
// The hour of a minute ago, so that the newest calls are in it or after it at any time of day.
const thisHour = now - 60 - ((now - 60) % HOUR);
/** Calls of two users over five hours. */
const calls = [
  { userId: 1, modelName: "gpt-4o", quota: 1, createdAtSeconds: thisHour - 4 * HOUR + 10, channelId: 1 },
  { userId: 1, modelName: "gpt-4o-mini", quota: 2, createdAtSeconds: thisHour - 3 * HOUR, channelId: 2 },
  { userId: 2, modelName: "gpt-4o", quota: 4, createdAtSeconds: thisHour - 3 * HOUR + 1_800, channelId: 1 },
  { userId: 1, modelName: "claude-sonnet-4", quota: 8, createdAtSeconds: thisHour - HOUR, channelId: 2, group: "vip" },
  { userId: 2, modelName: "gpt-4o", quota: 16, createdAtSeconds: now - 30, channelId: 1, tokenName: "phone" },
  { userId: 1, modelName: "gpt-4o", quota: 32, createdAtSeconds: now - 5, channelId: 1, tokenId: 9 },
];

beforeAll(async () => {
  world = await startBillingWorld();
  await world.publish(calls.map((call) => usage({ ...call, username: `user${call.userId}` })));
  const failed = { userId: 1, type: 6 as const, quota: 0, content: "upstream refused the call", createdAtSeconds: now };
  const refusal = { errorCode: "rate_limit_exceeded", errorStatus: 429 };
  await world.publish([usage({ ...failed, ...refusal, requestId: "failed-call-e2" })]);
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
const list = (filter: Partial<LogFilter> = {}, page = 1, pageSize = 100) =>
  world.logs.listLogs({ filter: { ...any, ...filter }, page, pageSize }, admin);
const stat = (filter: Partial<LogFilter> = {}) => world.logs.getLogStat({ filter: { ...any, ...filter } }, admin);

describe("log row list", () => {
  it("is newest first, in pages from 1", async () => {
    const { items, total } = await list({ type: 2 }, 1, 4);
    expect(total).toBe(6);
    expect(items.map(({ quota }) => quota)).toEqual([32, 16, 8, 4]);
    expect((await list({ type: 2 }, 2, 4)).items.map(({ quota }) => quota)).toEqual([2, 1]);
  });

  it.each([
    ["a type", { type: 6 }, [0]],
    ["the call of failed attempts", { requestId: "failed-call" }, [0]],
    ["the status of failed calls", { error: "429" }, [0]],
    ["the code of failed calls", { error: "rate_limit_exceeded" }, [0]],
    ["the code of a user's failed calls", { userId: 1, error: "rate_limit_exceeded" }, [0]],
    ["a code that no call of the user failed with", { userId: 2, error: "429" }, []],
    ["a user", { userId: 2 }, [16, 4]],
    ["a user's name", { username: "user2" }, [16, 4]],
    ["a token's name", { tokenName: "phone" }, [16]],
    ["a token", { tokenId: 9 }, [32]],
    ["a model", { modelName: "gpt-4o", userId: 1, type: 2 }, [32, 1]],
    ["a model's beginning", { modelName: "gpt%", userId: 1, type: 2 }, [32, 2, 1]],
    ["a part of a model's name", { modelName: "%mini%" }, [2]],
    ["special characters taken literally", { modelName: "gpt.4o" }, []],
    ["a channel", { channel: 2 }, [8, 2]],
    ["a group", { group: "vip" }, [8]],
    ["a channel and a model", { channel: 1, modelName: "gpt-4o" }, [32, 16, 4, 1]],
    ["a channel and a model that it never served", { channel: 2, modelName: "gpt-4o" }, []],
    ["models by a prefix and a group", { modelName: "claude%", group: "vip" }, [8]],
    ["a channel, a model and a group", { channel: 2, modelName: "gpt-4o-mini", group: "default" }, [2]],
    ["a channel and a group in a time range", { channel: 2, group: "vip", endSeconds: thisHour - 2 * HOUR }, []],
    ["a time range, both ends included", { startSeconds: thisHour - 3 * HOUR, endSeconds: thisHour - HOUR }, [8, 4, 2]],
  ])("filters by %s", async (_, filter, quotas) => {
    const { items, total } = await list(filter);
    expect(items.map(({ quota }) => quota)).toEqual(quotas);
    expect(total).toBe(quotas.length);
  });

  it("uses an index for every filter", async () => {
    const { toLogQuery } = await import("../../../../services/billing/src/logs/log-filter.ts");
    const filters: Partial<LogFilter>[] = [
      {},
      { type: 6 },
      { error: "429" },
      { error: "rate_limit_exceeded" },
      { userId: 2 },
      { username: "user2" },
      { tokenName: "phone" },
      { tokenId: 9 },
      { modelName: "gpt-4o" },
      { channel: 2 },
      { group: "vip" },
      { startSeconds: 5 },
    ];
    for (const filter of filters) {
      const query = world.collections.logs.find(toLogQuery({ ...any, ...filter })).sort({ createdAt: -1, _id: -1 });
      const plan = JSON.stringify((await query.explain("queryPlanner")) as unknown);
      expect(plan).toContain("IXSCAN");
      expect(plan).not.toMatch(/"stage":"(COLLSCAN|SORT)"/);
    }
  });
});

describe("log sums", () => {
  it.each([
    ["everything", {}, 63],
    ["one user", { userId: 1 }, 43],
    ["one user's name", { username: "user2" }, 20],
    ["one model", { modelName: "gpt-4o" }, 53],
    ["models by a prefix", { modelName: "gpt%" }, 55],
    ["a channel", { channel: 2 }, 10],
    ["a token's name", { tokenName: "phone" }, 16],
    ["a group", { group: "vip" }, 8],
    ["a channel and a model", { channel: 1, modelName: "gpt-4o" }, 53],
    ["a channel and a group", { channel: 2, group: "vip", startSeconds: thisHour - 2 * HOUR + 5 }, 8],
    ["whole hours", { startSeconds: thisHour - 3 * HOUR, endSeconds: thisHour - HOUR - 1 }, 6],
    ["parts of hours", { startSeconds: thisHour - 3 * HOUR + 1, endSeconds: thisHour - HOUR }, 12],
    [
      "a user in parts of hours",
      { userId: 1, startSeconds: thisHour - 4 * HOUR + 11, endSeconds: thisHour - HOUR },
      10,
    ],
    ["an end in the future", { startSeconds: thisHour - HOUR, endSeconds: now + HOUR }, 56],
    ["another type", { type: 6 }, 0],
  ])("returns correct sums for %s", async (_, filter, quota) => {
    expect((await stat(filter)).quota).toBe(quota);
  });

  it("counts the requests and tokens of the last minute", async () => {
    const all = await stat();
    expect([all.rpm, all.tpm]).toEqual([2, 30]);
    const ofPhone = await stat({ tokenName: "phone" });
    expect([ofPhone.rpm, ofPhone.tpm]).toEqual([1, 15]);
  });

  it("calculates the request rate of a very busy token from the time span of the newest requests", async () => {
    const { logs } = world.collections;
    const row = toUsageRow(usage({ userId: 3, tokenName: "busy" }), 0);
    const secondsNow = Math.floor(Date.now() / 1000);
    // Two thousand per second for half a minute, without call ids, whose index is the slowest to write.
    const rows = Array.from({ length: 60_000 }, (_, index) => {
      const { requestId: _id, ...busy } = row;
      return { ...busy, _id: 1_000_000 + index, createdAt: secondsNow - (index % 30) };
    });
    await logs.insertMany(rows, { ordered: false });
    const { rpm, tpm } = await stat({ tokenName: "busy" });
    await logs.deleteMany({ tokenName: "busy" });
    expect(rpm).toBeGreaterThan(50_000);
    expect(rpm).toBeLessThanOrEqual(125_000);
    expect(tpm).toBe(rpm * 15);
  });
});

describe("hourly sums", () => {
  it("returns a user's own sums, oldest first", async () => {
    const ann = actor(1);
    const request = {
      userId: 1,
      username: "",
      startSeconds: thisHour - 3 * HOUR,
      endSeconds: now + HOUR,
      quarterHours: false,
    };
    const { items } = await world.logs.listRollups(request, ann);
    expect(items.map(({ modelName, quota, createdAt }) => [modelName, quota, createdAt])).toEqual([
      ["gpt-4o-mini", 2, thisHour - 3 * HOUR],
      ["claude-sonnet-4", 8, thisHour - HOUR],
      ["gpt-4o", 32, now - 5 - ((now - 5) % HOUR)],
    ]);
    expect(items[0]).toMatchObject({ userId: 1, username: "user1", tokenUsed: 15, count: 1 });
  });

  it("returns the site's sums to admins", async () => {
    const request = { userId: 0, username: "", startSeconds: 0, endSeconds: 0, quarterHours: false };
    const range = { ...request, startSeconds: thisHour - 4 * HOUR, endSeconds: now };
    const { items } = await world.logs.listRollups(range, admin);
    expect(items.reduce((sum, { quota }) => sum + quota, 0)).toBe(63);
    expect(items.every(({ userId }) => userId === 0)).toBe(true);
    const byName = await world.logs.listRollups({ ...range, username: "user2" }, admin);
    expect(byName.items.reduce((sum, { quota }) => sum + quota, 0)).toBe(20);
  });

  it("limits one user to a month", async () => {
    const request = {
      userId: 1,
      username: "",
      startSeconds: now - 40 * 24 * HOUR,
      endSeconds: now,
      quarterHours: false,
    };
    await expect(world.logs.listRollups(request, admin)).rejects.toMatchObject({ code: "range_too_long" });
  });
});

describe("deletion of old rows", () => {
  const before = thisHour - HOUR;
  const keptTypes = [1, 3, 4, 5];

  beforeAll(async () => {
    const rows = keptTypes.map((type, index) =>
      toEventRow(
        { type, userId: 1, username: "user1", quota: 0, content: "", clientIp: "", createdAt: before - 60 - index },
        900_000 + type,
      ),
    );
    await writeTallies(world.collections, tallyRows(rows, false));
    await world.collections.logs.insertMany(rows);
  });

  it("deletes the calls before a time and keeps balances and hours", async () => {
    expect(await world.logs.deleteLogs({ beforeSeconds: before }, admin)).toEqual({ deleted: 3 });
    expect((await list({ type: 2 })).items.map(({ quota }) => quota)).toEqual([32, 16, 8]);
    expect((await stat()).quota).toBe(56);
    const { accounts } = await world.accounts.getAccounts({ userIds: [1, 2] });
    expect(accounts.map(({ spent }) => spent)).toEqual([43, 20]);
    expect(await world.collections.postedRecords.countDocuments()).toBe(3);
    await expect(world.logs.deleteLogs({ beforeSeconds: 0 }, admin)).rejects.toMatchObject({
      code: "log_time_required",
    });
    await expect.poll(() => world.audits.map(({ action }) => action)).toContain("log.delete");
  });

  it("keeps top-ups, check-ins and rows of administrators and the system, in every list, page and total", async () => {
    const typesOf = async (filter: Partial<LogFilter>, page = 1, pageSize = 100) => {
      const { items, total } = await list(filter, page, pageSize);
      return { types: items.map(({ type }) => type), total };
    };
    expect(await typesOf({})).toEqual({ types: [6, 2, 2, 2, ...keptTypes], total: 8 });
    expect(await typesOf({ userId: 1 })).toEqual({ types: [6, 2, 2, ...keptTypes], total: 7 });
    expect(await typesOf({ username: "user1" })).toEqual({ types: [6, 2, 2, ...keptTypes], total: 7 });
    for (const type of keptTypes) expect(await typesOf({ type })).toEqual({ types: [type], total: 1 });
    expect(await typesOf({ endSeconds: before - 1 })).toEqual({ types: keptTypes, total: 4 });
    expect(await typesOf({ startSeconds: before })).toEqual({ types: [6, 2, 2, 2], total: 4 });
    // A page across the border, one behind it, one that ends at it, and one behind everything.
    expect(await typesOf({}, 2, 3)).toEqual({ types: [2, 1, 3], total: 8 });
    expect(await typesOf({}, 3, 3)).toEqual({ types: [4, 5], total: 8 });
    expect(await typesOf({}, 1, 4)).toEqual({ types: [6, 2, 2, 2], total: 8 });
    expect(await typesOf({}, 2, 4)).toEqual({ types: keptTypes, total: 8 });
    expect((await typesOf({}, 4, 4)).types).toEqual([]);
    expect(await world.logs.deleteLogs({ beforeSeconds: before }, admin)).toEqual({ deleted: 0 });
  });
});

describe("busy hour", () => {
  const ROWS = 5_600;
  const hour = thisHour - HOUR;

  it("is paged exactly, with and without other filters", async () => {
    const rows = Array.from({ length: ROWS }, (_, index) =>
      usage({
        userId: 3,
        username: "user3",
        channelId: 5,
        modelName: `busy-${index % 2}`,
        quota: index,
        group: "busy",
        createdAtSeconds: hour + Math.floor((index * 3_500) / ROWS),
      }),
    );
    for (let start = 0; start < ROWS; start += 700) await world.publish(rows.slice(start, start + 700));
    await world.drained();
    const newest = rows.map(({ quota }) => quota).toReversed();
    const page = async (filter: Partial<LogFilter>, number: number) => {
      const { items, total } = await list(filter, number);
      return { total, quotas: items.map(({ quota }) => quota) };
    };
    for (const filter of [{ group: "busy" }, { channel: 5 }, { channel: 5, group: "busy" }, { userId: 3 }])
      for (const number of [1, 51, 53, 56])
        expect(await page(filter, number)).toEqual({
          total: ROWS,
          quotas: newest.slice((number - 1) * 100, number * 100),
        });
    // From the middle of one minute to the middle of another, and a part of one minute.
    for (const [from, to] of [
      [95, 1_805],
      [130, 170],
    ] as const) {
      const range = { startSeconds: hour + from, endSeconds: hour + to };
      const within = rows.filter(({ createdAtSeconds: at }) => at >= hour + from && at <= hour + to);
      for (const filter of [{ group: "busy" }, { modelName: "busy-%", channel: 5 }, { userId: 3 }]) {
        expect((await list({ ...filter, ...range }, 1)).total).toBe(within.length);
        expect((await stat({ ...filter, ...range })).quota).toBe(within.reduce((sum, { quota }) => sum + quota, 0));
      }
    }
    const odd = newest.filter((quota) => quota % 2 === 1);
    expect(await page({ channel: 5, modelName: "busy-1" }, 28)).toEqual({ total: ROWS / 2, quotas: odd.slice(2_700) });
  });
});

describe("quarters of an hour", () => {
  const hour = thisHour - 2 * HOUR;

  it("splits a user's and the site's hours on request, and adds up to them", async () => {
    const seconds = [0, 100, 1_000, 1_900, 2_699, 3_599];
    await world.publish(
      seconds.map((second, index) =>
        usage({
          userId: 8,
          username: "user8",
          modelName: "quarters",
          quota: 10 ** index,
          createdAtSeconds: hour + second,
        }),
      ),
    );
    await world.drained();
    const read = async (of: { userId: number; username: string }, quarterHours: boolean) => {
      const range = { startSeconds: hour, endSeconds: hour + HOUR - 1, quarterHours };
      const { items } = await world.logs.listRollups({ ...of, ...range }, admin);
      return items
        .filter(({ modelName }) => modelName === "quarters")
        .map(({ createdAt, quota, count, tokenUsed }) => [createdAt - hour, quota, count, tokenUsed]);
    };
    const quarters = [
      [0, 11, 2, 30],
      [900, 100, 1, 15],
      [1_800, 11_000, 2, 30],
      [2_700, 100_000, 1, 15],
    ];
    for (const of of [
      { userId: 8, username: "" },
      { userId: 0, username: "user8" },
      { userId: 0, username: "" },
    ]) {
      expect(await read(of, true)).toEqual(quarters);
      expect(await read(of, false)).toEqual([[0, 111_111, 6, 90]]);
    }
  });

  it("keeps an hour that an earlier version stored without quarters at its start", async () => {
    await world.collections.rollups.updateMany({ userId: 8 }, { $unset: { quarters: "" } });
    const range = { startSeconds: hour, endSeconds: hour + HOUR - 1, quarterHours: true };
    const { items } = await world.logs.listRollups({ userId: 8, username: "", ...range }, admin);
    expect(items.map(({ createdAt, quota }) => [createdAt - hour, quota])).toEqual([[0, 111_111]]);
  });
});
