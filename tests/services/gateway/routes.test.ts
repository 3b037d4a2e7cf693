import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import type { Token } from "@turnpike/proto/billing/v1/token_service";
import type { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { ChannelHealthDetail, ChannelPage, ModelsByChannelType } from "@turnpike/contract/api/channel";
import { InboxPage } from "@turnpike/contract/api/message";
import { LedgerPage } from "@turnpike/contract/api/ledger";
import { LogPage } from "@turnpike/contract/api/log";
import { PricingAnswer } from "@turnpike/contract/api/pricing";
import { RedemptionPage } from "@turnpike/contract/api/redemption";
import { SiteStatus } from "@turnpike/contract/api/status";
import { TokenPage } from "@turnpike/contract/api/token";
import { UserPage } from "@turnpike/contract/api/user";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, PEOPLE, startGatewayWorld } from "./gateway-world.ts";

const CHANNEL: Channel = {
  id: 5,
  name: "main",
  type: 1,
  keyHint: "wxyz",
  keyCount: 2,
  openaiOrganization: "",
  maxInputTokens: 0,
  baseUrl: "",
  other: "",
  modelMapping: "",
  statusCodeMapping: "",
  models: "gpt-4o",
  group: "default",
  autoBan: 1,
  testModel: "",
  priority: -3,
  weight: 2,
  tag: "",
  modelPrefix: "",
  setting: "",
  paramOverride: "",
  status: 1,
  responseTime: 0,
  balance: 0.5,
  expiredTime: -1,
  otherInfo: "",
  createdTime: 1,
  testTime: 0,
  balanceUpdatedTime: 0,
  health: undefined,
};
const TOKEN: Token = {
  id: 9,
  userId: 7,
  key: "k".repeat(48),
  name: "mine",
  status: 1,
  createdTime: 1,
  accessedTime: 0,
  expiredTime: -1,
  remainQuota: 100,
  unlimitedQuota: false,
  usedQuota: 0,
  modelLimitsEnabled: false,
  modelLimits: "",
  allowIps: "",
  group: "",
  rateLimitEnabled: false,
  rateLimitPeriod: 60,
  rateLimitCount: 1000,
  rateLimitSuccess: 10,
  budgetPeriod: "",
  periodQuota: 0,
  budgetResetsAt: 0,
  tokensPerMinute: 0,
  concurrentCalls: 0,
};
const LOG_ROW: LogRow = {
  id: 4,
  createdAt: 1,
  type: 2,
  userId: 7,
  username: "ada",
  tokenId: 9,
  tokenName: "mine",
  modelName: "gpt-4o",
  channel: 5,
  channelName: "main",
  group: "default",
  isStream: false,
  useTime: 1,
  promptTokens: 10,
  completionTokens: 5,
  quota: 40,
  content: "",
  clientIp: "",
  requestId: "R",
  otherJson: `{"model_ratio":1.25,"admin_info":{"use_channel":["5"]}}`,
};

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
    world.fakes.auth.listUsers = async () => ({ items: [PEOPLE.ada], total: 12 });
    world.fakes.accounts.getAccounts = async () => ({ accounts: [] });
    world.fakes.logs.listLogs = async () => ({ items: [LOG_ROW], total: 3 });
    world.fakes.redemptions.listRedemptions = async () => ({ items: [], total: 0 });
    world.fakes.inbox.listInbox = async () => ({ items: [], total: 0 });
    world.fakes.ledger.searchLedger = async () => ({ items: [], total: 0, amount: 0 });
  });

  it.each([
    ["/api/channel/", "root", "listChannels"],
    ["/api/channel/search", "root", "listChannels"],
    ["/api/token/", "ada", "listTokens"],
    ["/api/token/search", "ada", "listTokens"],
  ] as const)("returns %s as a plain array with its total in a header, counted from page 0", async (path, as, rpc) => {
    const answer = await world.call("GET", `${path}?p=2&page_size=20`, { as });
    expect(Array.isArray(answer.body.data)).toBe(true);
    expect(answer.headers.get("x-total-count")).toMatch(/^[23]1$/);
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
      const answer = await world.call("GET", path, { as });
      expect(schema.parse(answer.body.data)).toMatchObject({ page: first, page_size: 10 });
    },
  );

  it("never returns more than a hundred", async () => {
    await world.call("GET", "/api/token/?p=0&size=5000", { as: "ada" });
    expect(world.last("listTokens")?.request).toMatchObject({ userId: 7, pageSize: 100 });
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

describe("channels", () => {
  it("changes only the fields that were sent", async () => {
    world.fakes.channels.updateChannel = async () => ({ channel: CHANNEL });
    const body = { id: 5, priority: "0", base_url: "", key: "", model_mapping: null, unknown: 1 };
    const answer = await world.call("PUT", "/api/channel/", { as: "admin", body });
    expect(answer.body.data.id).toBe(5);
    const { input } = world.asked<{ input: object }>("updateChannel");
    const sent = Object.entries(input).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(sent)).toEqual({ priority: 0, baseUrl: "", key: "" });
  });
  it("returns the health of its calls, with the last errors for a single channel", async () => {
    const errors = [{ message: "HTTP 500", status: 500, atSeconds: 1_700_000_000 }];
    const health = { state: "open", calls: 4, errorRate: 0.25, latencyMs: 120, errors };
    world.fakes.channels.findChannel = async () => ({ channel: { ...CHANNEL, health } });
    const shown = {
      state: "open",
      calls: 4,
      error_rate: 0.25,
      latency_ms: 120,
      last_error: "HTTP 500",
      last_error_at: 1_700_000_000,
    };
    const key = { hint: "cdef", state: "disabled", reason: "HTTP 401", disabledAtSeconds: 1_700_000_001 };
    world.fakes.channelHealth.listKeys = async () => ({ keys: [key] });
    const one = await world.call("GET", "/api/channel/5", { as: "admin" });
    expect(one.body.data.health).toEqual(shown);
    const detail = await world.call("GET", "/api/channel/5/health/", { as: "admin" });
    const told = [{ message: "HTTP 500", status: 500, at: 1_700_000_000 }];
    const keys = [{ key_hint: "cdef", state: "disabled", status_reason: "HTTP 401", status_time: 1_700_000_001 }];
    expect(ChannelHealthDetail.parse(detail.body.data)).toEqual({ ...shown, errors: told, keys });
  });
  it("leaves the validation of a new channel to the channel service", async () => {
    world.fakes.channels.createChannel = async () => {
      throw new AppError("channel_name_and_key_required", "missing");
    };
    const answer = await world.call("POST", "/api/channel", { as: "admin", body: { type: 1 } });
    expect(answer.body).toMatchObject({ success: false, message: "请填写渠道名称和渠道密钥！" });
  });
  it("returns a test's outcome and time next to the envelope", async () => {
    world.fakes.channels.testChannel = async () => ({
      success: false,
      message: "401 from upstream",
      timeSeconds: 0.41,
    });
    const answer = await world.call("GET", "/api/channel/test/5?model=gpt-4o", { as: "admin" });
    expect(answer.body).toEqual({ success: false, message: "401 from upstream", time: 0.41 });
    expect(world.last("testChannel")?.request).toEqual({ id: 5, model: "gpt-4o" });
  });
  it("shows channels while billing cannot report their usage", async () => {
    const away = await startGatewayWorld({ away: ["BILLING_ADDRESS"] });
    away.fakes.channels.findChannel = async () => ({ channel: CHANNEL });
    const answer = await away.call("GET", "/api/channel/5", { as: "admin" });
    expect(answer.body.data).toMatchObject({ id: 5, used_quota: 0 });
    await away.stop();
  });
  it("returns default models for each type", async () => {
    const byType = await world.call("GET", "/api/models", { as: "ada" });
    expect(ModelsByChannelType.parse(byType.body.data)["14"]).toContain("claude-sonnet-4-20250514");
    const all = await world.call("GET", "/api/channel/models", { as: "admin" });
    expect(all.body.data).toContainEqual({ id: "gpt-4o" });
  });
});

describe("tokens", () => {
  it("creates tokens with the owner's group and returns their key", async () => {
    world.fakes.tokens.createToken = async () => ({ token: TOKEN });
    const answer = await world.call("POST", "/api/token/", { as: "ada", body: { name: "mine", group: "vip" } });
    expect(answer.body.data).toEqual({ id: 9, key: TOKEN.key });
    expect(world.last("createToken")?.request).toMatchObject({
      userId: 7,
      userGroup: "default",
      input: { name: "mine", group: "vip", remainQuota: 500_000, expiredTime: -1 },
    });
  });
  it("changes the status of a token only, or the whole token", async () => {
    world.fakes.tokens.updateToken = async () => ({ token: TOKEN });
    await world.call("PUT", "/api/token/?status_only=true", { as: "ada", body: { id: 9, status: 2 } });
    expect(world.last("updateToken")?.request).toMatchObject({ userId: 7, id: 9, statusOnly: 2, input: undefined });
    await world.call("PUT", "/api/token/", { as: "ada", body: { ...TOKEN, id: 9, name: "new" } });
    expect(world.last("updateToken")?.request).toMatchObject({ id: 9, statusOnly: undefined, input: { name: "new" } });
  });
});

describe("prices and groups", () => {
  beforeAll(() => {
    world.fakes.channels.listAbilities = async () => ({
      abilities: [
        { group: "default", models: ["gpt-4o", "b-model"] },
        { group: "vip", models: ["gpt-4o"] },
        { group: "inner", models: ["hidden"] },
      ],
    });
    world.fakes.prices.listPrices = async ({ models, userGroup }) => ({
      prices: models.map((modelName) => ({
        modelName,
        quotaType: 0,
        modelRatio: 1.25,
        completionRatio: 4,
        modelPrice: 0,
        cacheRatio: 0.5,
        isSet: true,
      })),
      groups: [
        { group: "default", ratio: 1, description: "everybody" },
        ...(userGroup === "" ? [] : [{ group: "vip", ratio: 0.5, description: "friends" }]),
      ],
    });
  });

  it("shows prices to visitors too, and names no group that is not the caller's", async () => {
    const visitor = PricingAnswer.parse((await world.call("GET", "/api/pricing")).body);
    expect(visitor.data.map((row) => [row.model_name, row.enable_groups])).toEqual([
      ["b-model", ["default"]],
      ["gpt-4o", ["default"]],
    ]);
    expect(visitor.group_ratio).toEqual({ default: 1 });
    const user = PricingAnswer.parse((await world.call("GET", "/api/pricing", { as: "ada" })).body);
    expect(user.data.find((row) => row.model_name === "gpt-4o")?.enable_groups).toEqual(["default", "vip"]);
    expect(user.usable_group).toEqual({ default: "everybody", vip: "friends" });
  });
  it("returns the models and the groups a user may choose", async () => {
    expect((await world.call("GET", "/api/user/models", { as: "ada" })).body.data).toEqual(["b-model", "gpt-4o"]);
    expect((await world.call("GET", "/api/user/self/groups", { as: "ada" })).body.data).toEqual({
      default: { desc: "everybody", ratio: 1 },
      vip: { desc: "friends", ratio: 0.5 },
    });
    expect((await world.call("GET", "/api/group/", { as: "admin" })).body.data).toEqual(["default", "vip"]);
    const enabled = await world.call("GET", "/api/channel/models_enabled", { as: "admin" });
    expect(enabled.body.data).toEqual(["b-model", "gpt-4o", "hidden"]);
  });
});

describe("other calls", () => {
  it("returns a status object in the contract's shape", async () => {
    const { body } = await world.call("GET", "/api/status");
    expect(() => SiteStatus.parse(body.data)).not.toThrow();
  });
  it("redeems a code for the caller, with the caller's address", async () => {
    world.fakes.redemptions.redeem = async () => ({ quota: 500, isGift: true });
    const answer = await world.call("POST", "/api/user/topup", { as: "ada", body: { key: " code " } });
    expect(answer.body.data).toEqual({ quota: 500, is_gift: true });
    expect(world.last("redeem")?.request).toEqual({ userId: 7, username: "ada", key: "code", address: "127.0.0.1" });
    const empty = await world.call("POST", "/api/user/topup", { as: "ada", body: {} });
    expect(empty.body.code).toBe("redemption_required");
  });
  it("passes the whole setting object to auth", async () => {
    world.fakes.auth.updateSelf = async () => ({ user: PEOPLE.ada });
    const body = { notify_type: "webhook", webhook_url: " https://a.example/hook ", quota_warning_threshold: "5" };
    await world.call("PUT", "/api/user/setting", { as: "ada", body });
    const { settingJson } = world.asked<{ settingJson: string }>("updateSelf");
    expect(JSON.parse(settingJson)).toEqual({
      notify_type: "webhook",
      webhook_url: "https://a.example/hook",
      quota_warning_threshold: 5,
    });
  });
  it("shows a changed option at once", async () => {
    world.fakes.auth.setOption = async () => ({ revision: 2 });
    world.fakes.auth.getOptionsSnapshot = async () => ({ revision: 2, options: [{ key: "Notice", value: "new" }] });
    await world.call("PUT", "/api/option/", { as: "root", body: { key: "Notice", value: "new" } });
    expect((await world.call("GET", "/api/notice/")).body.data).toBe("new");
  });
  it("checks fallback prices without storing them", async () => {
    const path = "/api/option/validate_fallback_pricing";
    const good = await world.call("POST", path, { as: "admin", body: { enabled: true, single_price: 0.1 } });
    expect(good.body.success).toBe(true);
    const bad = await world.call("POST", path, { as: "admin", body: { enabled: true, input_ratio: 1 } });
    expect(bad.body.code).toBe("fallback_pricing_invalid");
  });
  it("refuses a dashboard range above thirty days and a log deletion without a time", async () => {
    const range = await world.call("GET", "/api/data/self?start_timestamp=1&end_timestamp=9999999", { as: "ada" });
    expect(range.body).toMatchObject({ code: "range_too_long", params: { days: "30" } });
    const clear = await world.call("DELETE", "/api/log/", { as: "admin" });
    expect(clear.body.code).toBe("log_time_required");
  });
});
