import { ChannelHealthDetail } from "@turnpike/contract/api/channels/channel-health";
import { ModelsByChannelType } from "@turnpike/contract/api/channels/channel";
import { PricingResponse } from "@turnpike/contract/api/prices/pricing";
import { SiteStatus } from "@turnpike/contract/api/status";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, USERS, startGatewayWorld } from "./gateway-world.ts";
import { CHANNEL, TOKEN } from "./sample-rows.ts";

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld({ options: { GroupRatio: `{"default":1,"vip":0.5}` } });
});
afterAll(() => world.stop());

describe("channels", () => {
  it("changes only the fields that were sent", async () => {
    world.fakes.channels.updateChannel = async () => ({ channel: CHANNEL });
    const body = { id: 5, priority: "0", base_url: "", key: "", model_mapping: null, unknown: 1 };
    const response = await world.call("PUT", "/api/channel/", { as: "admin", body });
    expect(response.body.data.id).toBe(5);
    const { input } = world.lastRequest<{ input: object }>("updateChannel");
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
    const reported = [{ message: "HTTP 500", status: 500, at: 1_700_000_000 }];
    const keys = [{ key_hint: "cdef", state: "disabled", status_reason: "HTTP 401", status_time: 1_700_000_001 }];
    expect(ChannelHealthDetail.parse(detail.body.data)).toEqual({ ...shown, errors: reported, keys });
  });
  it("leaves the validation of a new channel to the channel service", async () => {
    world.fakes.channels.createChannel = async () => {
      throw new AppError("channel_name_and_key_required", "missing");
    };
    const response = await world.call("POST", "/api/channel", { as: "admin", body: { type: 1 } });
    expect(response.body).toMatchObject({ success: false, message: "Please enter the channel's name and key" });
  });
  it("returns a test's outcome and time next to the envelope", async () => {
    world.fakes.channels.testChannel = async () => ({
      success: false,
      message: "401 from upstream",
      timeSeconds: 0.41,
    });
    const response = await world.call("GET", "/api/channel/test/5?model=gpt-4o", { as: "admin" });
    expect(response.body).toEqual({ success: false, message: "401 from upstream", time: 0.41 });
    expect(world.last("testChannel")?.request).toEqual({ id: 5, model: "gpt-4o" });
  });
  it("shows channels while billing cannot report their usage", async () => {
    const unavailable = await startGatewayWorld({ away: ["BILLING_ADDRESS"] });
    unavailable.fakes.channels.findChannel = async () => ({ channel: CHANNEL });
    const response = await unavailable.call("GET", "/api/channel/5", { as: "admin" });
    expect(response.body.data).toMatchObject({ id: 5, used_quota: 0, used_quota_missing: true });
    await unavailable.stop();
  });
  it("returns default models for each type", async () => {
    const byType = await world.call("GET", "/api/models", { as: "ada" });
    expect(ModelsByChannelType.parse(byType.body.data)["14"]).toContain("claude-sonnet-4-5");
    const all = await world.call("GET", "/api/channel/models", { as: "admin" });
    expect(all.body.data).toContainEqual({ id: "gpt-4o" });
  });
});

describe("tokens", () => {
  it("creates tokens with the owner's group and returns their key", async () => {
    world.fakes.tokens.createToken = async () => ({ token: TOKEN });
    const response = await world.call("POST", "/api/token/", { as: "ada", body: { name: "mine", group: "vip" } });
    expect(response.body.data).toEqual({ id: 9, key: TOKEN.key });
    expect(world.last("createToken")?.request).toMatchObject({
      userId: 7,
      userGroup: "default",
      input: { name: "mine", group: "vip", remainQuota: 500_000, expiredTime: -1 },
    });
  });
  it("changes only the status of a token, or all its fields", async () => {
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
      mappedModels: [],
      unavailable: [],
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
        detailsJson: "",
        origin: "built_in",
      })),
      groups: [
        { group: "default", ratio: 1, description: "everybody" },
        ...(userGroup === "" ? [] : [{ group: "vip", ratio: 0.5, description: "friends" }]),
      ],
    });
  });

  it("shows prices to visitors too, and names no group that is not the caller's", async () => {
    const visitor = PricingResponse.parse((await world.call("GET", "/api/pricing")).body);
    expect(visitor.data.map((row) => [row.model_name, row.enable_groups])).toEqual([
      ["b-model", ["default"]],
      ["gpt-4o", ["default"]],
    ]);
    expect(visitor.group_ratio).toEqual({ default: 1 });
    const user = PricingResponse.parse((await world.call("GET", "/api/pricing", { as: "ada" })).body);
    expect(user.data.find((row) => row.model_name === "gpt-4o")?.enable_groups).toEqual(["default", "vip"]);
    expect(user.usable_group).toEqual({ default: "everybody", vip: "friends" });
  });
  it("finds prices of models that no channel has, for administrators", async () => {
    const body = { models: ["newest-model"] };
    const found = await world.call("POST", "/api/option/model_prices", { as: "root", body });
    expect(found.body).toMatchObject({ data: [{ model: "newest-model", origin: "built_in", details: null }] });
    expect((await world.call("POST", "/api/option/model_prices", { as: "ada", body })).status).toBe(403);
    const refused = await world.call("POST", "/api/option/model_prices", { as: "root", body: { models: [] } });
    expect(refused.body.success).toBe(false);
  });
  it("offers only models with a price, or with that of the model they are mapped to", async () => {
    const { listAbilities } = world.fakes.channels;
    const { listPrices } = world.fakes.prices;
    world.fakes.channels.listAbilities = async () => ({
      abilities: [{ group: "default", models: ["alias", "gpt-4o", "mj_imagine", "unknown"] }],
      mappedModels: [{ model: "alias", upstream: "claude-x" }],
      unavailable: [],
    });
    world.fakes.prices.listPrices = async (request, ...rest) => {
      const listed = await (listPrices as NonNullable<typeof listPrices>)(request, ...rest);
      const priced = new Set(["gpt-4o", "claude-x"]);
      return { ...listed, prices: listed.prices.map((price) => ({ ...price, isSet: priced.has(price.modelName) })) };
    };
    const offered = ["alias", "gpt-4o", "mj_imagine"];
    expect((await world.call("GET", "/api/user/models", { as: "ada" })).body.data).toEqual(offered);
    const list = PricingResponse.parse((await world.call("GET", "/api/pricing")).body);
    expect(list.data.map((row) => row.model_name)).toEqual(offered);
    expect((await world.call("GET", "/api/channel/models_unpriced", { as: "admin" })).body.data).toEqual(["unknown"]);
    expect((await world.call("GET", "/api/channel/models_unpriced", { as: "ada" })).status).toBe(403);
    Object.assign(world.fakes.channels, { listAbilities });
    Object.assign(world.fakes.prices, { listPrices });
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
    const response = await world.call("POST", "/api/user/topup", { as: "ada", body: { key: " code " } });
    expect(response.body.data).toEqual({ quota: 500, is_gift: true });
    expect(world.last("redeem")?.request).toEqual({ userId: 7, username: "ada", key: "code", address: "127.0.0.1" });
    const empty = await world.call("POST", "/api/user/topup", { as: "ada", body: {} });
    expect(empty.body.code).toBe("redemption_required");
  });
  it("passes the complete setting object to auth", async () => {
    world.fakes.auth.updateSelf = async () => ({ user: USERS.ada });
    const body = { notify_type: "webhook", webhook_url: " https://a.example/hook ", quota_warning_threshold: "5" };
    await world.call("PUT", "/api/user/setting", { as: "ada", body });
    const { settingJson } = world.lastRequest<{ settingJson: string }>("updateSelf");
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
