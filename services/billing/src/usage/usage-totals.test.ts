import type { UsageRecord } from "@turnpike/shared/events/relay";
import { describe, expect, it } from "vitest";
import { getCharge } from "../logs/log-row.ts";
import { getHour } from "../store/calendar.ts";
import { totalUsage } from "./usage-totals.ts";

const record = (about: Partial<UsageRecord>): UsageRecord => ({
  requestId: "r",
  type: 2,
  createdAtSeconds: 7_205,
  userId: 1,
  username: "ann",
  tokenId: 5,
  tokenName: "laptop",
  modelName: "gpt-4o",
  channelId: 3,
  channelName: "main",
  group: "default",
  isStream: false,
  useTimeSeconds: 1,
  promptTokens: 10,
  completionTokens: 5,
  quota: 100,
  content: "",
  clientIp: "",
  other: "{}",
  ...about,
});

describe("total of a batch", () => {
  it("has sums by account, token, channel and hour, in key order", () => {
    const sums = totalUsage([
      record({ userId: 10, tokenId: 50, quota: 7, createdAtSeconds: 10_799 }),
      record({ userId: 9, quota: 1 }),
      record({ userId: 10, tokenId: 50, quota: 3, createdAtSeconds: 10_800 }),
    ]);
    expect(sums.accounts).toEqual([
      { userId: 9, quota: 1, count: 1, lastSeconds: 7_205 },
      { userId: 10, quota: 10, count: 2, lastSeconds: 10_800 },
    ]);
    expect(sums.tokens).toEqual([
      { tokenId: 5, quota: 1, count: 1, lastSeconds: 7_205 },
      { tokenId: 50, quota: 10, count: 2, lastSeconds: 10_800 },
    ]);
    expect(sums.channels).toEqual([{ channelId: 3, quota: 11, count: 3 }]);
    expect(sums.rollups.map(({ id, quota }) => [id, quota])).toEqual([
      ["10:10800:gpt-4o", 3],
      ["10:7200:gpt-4o", 7],
      ["9:7200:gpt-4o", 1],
    ]);
    expect(sums.siteRollups.map(({ id, quota, promptTokens }) => [id, quota, promptTokens])).toEqual([
      ["10800:gpt-4o", 3, 10],
      ["7200:gpt-4o", 8, 20],
    ]);
  });

  it("has the later quarters of an hour, which a correction takes back", () => {
    const calls = [7_200, 8_099, 8_100, 9_000, 9_001, 10_799].map((createdAtSeconds) => record({ createdAtSeconds }));
    const quarters = { 1: { count: 1, quota: 100, tokens: 15 }, 2: { count: 2, quota: 200, tokens: 30 } };
    expect(totalUsage(calls).siteRollups).toMatchObject([
      { count: 6, quota: 600, quarters: { ...quarters, 3: { count: 1, quota: 100, tokens: 15 } } },
    ]);
    expect(totalUsage([record({ createdAtSeconds: 8_100 })], -1).rollups[0]?.quarters).toEqual({
      1: { count: -1, quota: -100, tokens: -15 },
    });
  });

  it("omits records without a token or channel, and all errors", () => {
    const sums = totalUsage([record({ tokenId: 0, channelId: 0 }), record({ type: 6 })]);
    expect([sums.tokens, sums.channels]).toEqual([[], []]);
    expect(sums.accounts).toEqual([{ userId: 1, quota: 100, count: 1, lastSeconds: 7_205 }]);
  });

  it("charges nothing for an error", () => {
    expect(getCharge(record({ type: 6, quota: 9 }))).toBe(0);
  });

  it("calculates the hour of a time", () => {
    expect([getHour(0), getHour(3_599), getHour(3_600)]).toEqual([0, 0, 3_600]);
  });
});
