import { ChannelPage } from "@turnpike/contract/api/channels/channel";
import { InboxPage } from "@turnpike/contract/api/message";
import { LedgerPage } from "@turnpike/contract/api/ledger";
import { LogPage } from "@turnpike/contract/api/log";
import { RedemptionPage } from "@turnpike/contract/api/redemption";
import { TokenPage } from "@turnpike/contract/api/token";
import { UserPage } from "@turnpike/contract/api/user";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, USERS, startGatewayWorld } from "./gateway-world.ts";
import { CHANNEL, LOG_ROW, TOKEN } from "./sample-rows.ts";

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld({ options: { GroupRatio: `{"default":1,"vip":0.5}` } });
});
afterAll(() => world.stop());

describe("lists", () => {
  beforeAll(() => {
    world.fakes.channels.listChannels = async () => ({ items: [CHANNEL], total: 31 });
    world.fakes.accounts.getChannelTotals = async () => ({
      totals: [{ channelId: 5, usedQuota: 777, requestCount: 4 }],
    });
    world.fakes.tokens.listTokens = async () => ({ items: [TOKEN], total: 21 });
    world.fakes.auth.listUsers = async () => ({ items: [USERS.ada], total: 12 });
    world.fakes.accounts.getAccounts = async () => ({ accounts: [] });
    world.fakes.logs.listLogs = async () => ({ items: [LOG_ROW], total: 3 });
    world.fakes.redemptions.listRedemptions = async () => ({ items: [], total: 0 });
    world.fakes.inbox.listInbox = async () => ({ items: [], total: 0 });
    world.fakes.ledger.searchLedger = async () => ({ items: [], total: 0, amount: 0, exactAmount: "0" });
  });

  it.each([
    ["/api/channel/", "root", "listChannels"],
    ["/api/channel/search", "root", "listChannels"],
    ["/api/token/", "ada", "listTokens"],
    ["/api/token/search", "ada", "listTokens"],
  ] as const)("returns %s as a plain array with its total in a header, counted from page 0", async (path, as, rpc) => {
    const response = await world.call("GET", `${path}?p=2&page_size=20`, { as });
    expect(Array.isArray(response.body.data)).toBe(true);
    expect(response.headers.get("x-total-count")).toMatch(/^[23]1$/);
    expect(world.last(rpc)?.request).toMatchObject({ page: 2, pageSize: 20 });
  });

  it.each([
    ["/api/channel/?paged=true", "root", ChannelPage, 0],
    ["/api/token/?paged=true", "ada", TokenPage, 0],
    ["/api/redemption/", "root", RedemptionPage, 0],
    ["/api/user/", "root", UserPage, 1],
    ["/api/log/", "root", LogPage, 1],
    ["/api/log/self/", "ada", LogPage, 1],
    ["/api/user/messages", "ada", InboxPage, 1],
    ["/api/ledger/self", "ada", LedgerPage, 1],
    ["/api/ledger/?user_id=7", "root", LedgerPage, 1],
  ] as const)(
    "returns %s as a page in the contract's shape, of ten, from its first page",
    async (path, as, schema, first) => {
      const response = await world.call("GET", path, { as });
      expect(schema.parse(response.body.data)).toMatchObject({ page: first, page_size: 10 });
    },
  );

  it("never returns more than a hundred", async () => {
    await world.call("GET", "/api/token/?p=0&size=5000", { as: "ada" });
    expect(world.last("listTokens")?.request).toMatchObject({ userId: 7, pageSize: 100 });
  });

  it("sorts users by a figure of their accounts, among those that the filters leave", async () => {
    const account = { userId: 7, credits: 900, spent: 100, requestCount: 2, lastCallAtSeconds: 1_700_000_000 };
    world.fakes.accounts.rankAccounts = async () => ({ accounts: [account], total: 31 });
    world.fakes.auth.listUserIds = async () => ({ ids: [7, 8] });
    const plain = await world.call("GET", "/api/user/search?sort=balance&p=2&page_size=1", { as: "root" });
    expect(world.last("rankAccounts")?.request).toMatchObject({ sort: "balance", page: 2, pageSize: 1, userIds: [] });
    expect(UserPage.parse(plain.body.data)).toMatchObject({
      total: 31,
      items: [{ quota: 800, last_call_at: 1_700_000_000 }],
    });
    await world.call("GET", "/api/user/search?sort=spent&group=vip", { as: "root" });
    expect(world.last("listUserIds")?.request).toMatchObject({ group: "vip" });
    expect(world.last("rankAccounts")?.request).toMatchObject({ sort: "spent", userIds: [7, 8] });
    expect((await world.call("GET", "/api/user/search?sort=name", { as: "root" })).body.success).toBe(false);
  });

  it("shows channels with their usage and without a key", async () => {
    const { body } = await world.call("GET", "/api/channel/", { as: "admin" });
    expect(body.data[0]).toMatchObject({ id: 5, key_hint: "wxyz", key_count: 2, used_quota: 777, priority: -3 });
    expect(body.data[0]).not.toHaveProperty("key");
  });

  it("shows users their own log without channels, and admins the log with them", async () => {
    const own = await world.call("GET", "/api/log/self?username=root&channel=5", { as: "ada" });
    expect(own.body.data.items[0]).toMatchObject({ channel: 0, channel_name: "", other: `{"model_ratio":1.25}` });
    expect(world.last("listLogs")?.request).toMatchObject({ filter: { userId: 7, username: "", channel: 0 } });
    const all = await world.call("GET", "/api/log/?username=ada&channel=5&type=2", { as: "admin" });
    expect(all.body.data.items[0]).toMatchObject({ channel: 5, channel_name: "main", other: LOG_ROW.otherJson });
    expect(world.last("listLogs")?.request).toMatchObject({
      filter: { userId: 0, username: "ada", channel: 5, type: 2 },
    });
  });
});
