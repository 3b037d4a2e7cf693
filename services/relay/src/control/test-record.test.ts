import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { UsageRecord } from "@turnpike/shared/events/relay";
import { createLogger } from "@turnpike/shared/log/log";
import { expect, it } from "vitest";
import type { Principal } from "../admission/caller-directory.ts";
import type { RoutedChannel } from "../routing/routing-table.ts";
import { createTestRecords } from "./test-record.ts";

const channel = { id: 7, name: "spare" } as RoutedChannel;
const test = { channel, model: "m", usage: { ...NO_USAGE, promptTokens: 8, completionTokens: 1 }, startedAtMs: 0 };

const rowsOf = async (getPrincipal: () => Promise<Principal>): Promise<UsageRecord[]> => {
  const rows: UsageRecord[] = [];
  const add = (row: UsageRecord): void => void rows.push(row);
  await createTestRecords({ getPrincipal, add, now: () => 3_000, log: createLogger("test", "silent") })(test);
  return rows;
};

it("is the first administrator's, without a cost", async () => {
  const [row] = await rowsOf(() => Promise.resolve({ username: "root", group: "default" } as Principal));
  expect(UsageRecord.parse(row)).toMatchObject({ userId: 1, username: "root", tokenId: 0, quota: 0, channelId: 7 });
  expect(row).toMatchObject({ promptTokens: 8, completionTokens: 1, useTimeSeconds: 3 });
  expect(row?.tokenName).toBe(row?.content);
});

it("is left out where nobody says who that is", async () => {
  expect(await rowsOf(() => Promise.reject(new Error("auth is away")))).toEqual([]);
});
