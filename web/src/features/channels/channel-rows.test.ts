import type { Channel } from "@turnpike/contract/api/channels/channel";
import { expect, it } from "vitest";
import {
  listChannels,
  getCommonValue,
  isOff,
  listNames,
  plainRows,
  getResponseTime,
  rowId,
  tagRows,
  sumUsedQuota,
} from "./channel-rows.ts";

const channel = (id: number, tag: string, more: Partial<Channel> = {}): Channel =>
  ({ id, tag, name: `c${id}`, status: 1, priority: 0, used_quota: 10, response_time: 0, ...more }) as Channel;

const ALL = [
  channel(1, "a", { priority: 5, response_time: 100 }),
  channel(2, "a", { status: 2, response_time: 300 }),
  channel(3, "b", { status: 3 }),
];

it("groups channels by tag and shows those of open tags under them", () => {
  expect(tagRows(ALL, new Set(["a"])).map(rowId)).toEqual(["tag:a", "1", "2", "tag:b"]);
  expect(plainRows(ALL).map(rowId)).toEqual(["1", "2", "3"]);
});

it("counts each channel once, however many rows represent it", () => {
  const rows = tagRows(ALL, new Set(["a", "b"]));
  expect(listChannels(rows).map(({ id }) => id)).toEqual([1, 2, 3]);
});

it("shows what all channels of a tag have in common, and their sums", () => {
  const [a, b] = tagRows(ALL, new Set());
  if (!a || !b) throw new Error("no rows");
  expect(getCommonValue(listChannels([a]), ({ priority }) => priority)).toBeUndefined();
  expect(getCommonValue(listChannels([b]), ({ priority }) => priority)).toBe(0);
  expect([isOff(a), isOff(b), sumUsedQuota(a)]).toEqual([false, true, 20]);
  expect(getResponseTime(listChannels([a]))).toBe(200);
  expect(getResponseTime(listChannels([b]))).toBe(0);
  expect(listNames(a, ({ name }) => [name, "x"])).toEqual(["c1", "x", "c2"]);
});
