import { LogEntry } from "@turnpike/contract/api/log";
import { Margins } from "@turnpike/contract/api/prices/margin";
import { Overview } from "@turnpike/contract/api/report";
import type { LogRow } from "@turnpike/proto/billing/v1/log_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

const row = (id: number, about: Partial<LogRow> = {}): LogRow => ({
  id,
  createdAt: 1_700_000_000,
  type: 2,
  userId: 7,
  username: "ada",
  tokenId: 1,
  tokenName: "laptop",
  modelName: "gpt-4o",
  channel: 3,
  channelName: "main",
  group: "default",
  isStream: true,
  useTime: 2,
  promptTokens: 10,
  completionTokens: 5,
  quota: 500_000,
  content: "",
  clientIp: "",
  requestId: `r${id}`,
  otherJson: '{"frt":120,"admin_info":{"use_channel":["2","3"]}}',
  cost: 17,
  costSource: "catalogue",
  refunded: 0,
  ...about,
});

let world: GatewayWorld;
beforeAll(async () => {
  world = await startGatewayWorld({ options: { LogErrorEnabled: "true" } });
});
afterAll(() => world.stop());

describe("log export", () => {
  const getFile = async (path: string, as: "ada" | "admin") => {
    const response = await fetch(world.url + path, { headers: { cookie: `session=${as}` } });
    return { response, lines: (await response.text()).trimEnd().split("\r\n") };
  };

  it("reads the log to its end in steps and sends a line for each row", async () => {
    world.fakes.reports.scanLogs = async ({ after }) =>
      after === undefined
        ? { items: [row(3), row(2)], next: { createdAt: 1_700_000_000, id: 2 } }
        : { items: [row(after.id - 1, { content: '=1+1,"x"', type: 6 })], next: undefined };
    const { response, lines } = await getFile("/api/log/export?model_name=gpt%25&lang=en", "admin");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="logs-\d{4}-\d\d-\d\d\.csv"$/);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(
      "Time,Type,User ID,User,Token,Model,Group,Channel,Channel name,Stream,Seconds,First token (ms),Prompt tokens," +
        "Completion tokens,Quota,Dollars,Note,Client IP,Request ID,Channels tried,Upstream cost,Cost source,Margin",
    );
    expect(lines[1]).toBe(
      "2023-11-14T22:13:20.000Z,consumption,7,ada,laptop,gpt-4o,default,3,main,1,2,120,10,5,500000,1,,,r3,2 > 3,17,catalogue,499983",
    );
    expect(lines[3]).toContain(`"'=1+1,""x"""`);
    expect(world.last("scanLogs")?.request).toMatchObject({ filter: { modelName: "gpt%", userId: 0 } });
  });

  it("writes the services' notes in the language of the file", async () => {
    const items = [row(1, { type: 1, content: "通过兑换码充值 ＄10.000000 额度，兑换码ID 12" })];
    world.fakes.reports.scanLogs = async () => ({ items, next: undefined });
    const [english, chinese] = await Promise.all([
      getFile("/api/log/self/export?lang=en", "ada"),
      getFile("/api/log/export?lang=zh", "admin"),
    ]);
    expect(english.lines[1]).toContain(",Redeemed $10 with code 12,");
    expect(chinese.lines[1]).toContain(",通过兑换码充值 ＄10.000000 额度，兑换码ID 12,");
  });

  it("contains the caller's own rows without channels, whichever user is named", async () => {
    world.fakes.reports.scanLogs = async () => ({ items: [row(1)], next: undefined });
    const { lines } = await getFile("/api/log/self/export/?username=admin&channel=3", "ada");
    expect(lines[0]).not.toContain("渠道");
    expect(lines[1]).not.toContain("main");
    expect(`${lines[0]}\n${lines[1]}`).not.toMatch(/成本|毛利|catalogue|,17,|499983/);
    expect(world.last("scanLogs")?.request).toMatchObject({ filter: { userId: 7, username: "", channel: 0 } });
    expect((await world.call("GET", "/api/log/export", { as: "ada" })).status).toBe(403);
  });

  it("fails normally if it cannot start, and never ends cleanly if it is cut", async () => {
    const unavailable = async (): Promise<never> => {
      throw new AppError("unavailable", "billing is unavailable");
    };
    world.fakes.reports.scanLogs = unavailable;
    expect((await world.call("GET", "/api/log/export", { as: "admin" })).body).toMatchObject({
      success: false,
      code: "unavailable",
    });
    world.fakes.reports.scanLogs = async ({ after }) =>
      after === undefined ? { items: [row(3)], next: { createdAt: 1, id: 3 } } : unavailable();
    // The stream is cut in the middle, or before its header is read.
    await expect(getFile("/api/log/export", "admin")).rejects.toThrow(/terminated|fetch failed/);
  });

  it("runs once at a time per user, and releases its slot", async () => {
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    world.fakes.reports.scanLogs = async () => {
      begun.resolve();
      await held.promise;
      return { items: [], next: undefined };
    };
    const first = getFile("/api/log/export", "admin");
    await begun.promise;
    expect((await world.call("GET", "/api/log/export", { as: "admin" })).status).toBe(429);
    held.resolve();
    await first;
    expect((await getFile("/api/log/export", "admin")).response.status).toBe(200);
  });
});

describe("log of a token", () => {
  it("is readable with the key, also by pages of other sites", async () => {
    world.fakes.reports.listTokenLogs = async () => ({ items: [row(1)] });
    const response = await world.call("GET", "/api/log/token?key=sk-abc", { headers: { authorization: "Bearer ada" } });
    expect(z.array(LogEntry).parse(response.body.data)).toMatchObject([{ channel: 0, channel_name: "" }]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(world.last("listTokenLogs")?.request).toEqual({ key: "sk-abc", userId: 7 });
    expect((await world.call("OPTIONS", "/api/log/token")).status).toBe(204);
    expect((await world.call("GET", "/api/log/token?key=sk-abc")).status).toBe(401);
  });
});

describe("log search over HTTP", () => {
  it("covers everything for admins and the caller's own rows for others", async () => {
    world.fakes.reports.searchLogs = async () => ({ items: [row(1)] });
    const all = await world.call("GET", "/api/log/search/?keyword=6", { as: "admin" });
    expect(all.body.data[0]).toMatchObject({ channel: 3, channel_name: "main" });
    expect(world.last("searchLogs")?.request).toEqual({ keyword: "6", userId: 0 });
    const own = await world.call("GET", "/api/log/self/search?keyword=6", { as: "ada" });
    expect(own.body.data[0]).toMatchObject({ channel: 0, channel_name: "" });
    expect(world.last("searchLogs")?.request).toEqual({ keyword: "6", userId: 7 });
    expect((await world.call("GET", "/api/log/search?keyword=6", { as: "ada" })).status).toBe(403);
  });
});

describe("usage overview", () => {
  const KNOWN = { knownCount: 1, knownQuota: 3, cost: 2 };

  it("is available to admins, with averages and whether errors are logged", async () => {
    world.fakes.reports.getOverview = async () => ({
      firstDay: 86_400,
      users: [{ userId: 1, username: "root", count: 2, quota: 3, tokenUsed: 4, ...KNOWN }],
      channels: [
        { channelId: 1, channelName: "c", count: 3, quota: 1, tokenUsed: 1, errorCount: 1, totalMs: 100, ...KNOWN },
      ],
      hours: [{ hour: 90_000, count: 3, errorCount: 1, totalSteps: { 4: 3 }, firstTokenSteps: {} }],
    });
    const response = await world.call("GET", "/api/data/overview?start_timestamp=86400&end_timestamp=90000", {
      as: "admin",
    });
    expect(Overview.parse(response.body.data)).toMatchObject({
      errors_logged: true,
      users: [{ known_count: 1, known_quota: 3, cost: 2 }],
      channels: [{ average_ms: 33, known_count: 1, known_quota: 3, cost: 2 }],
      hours: [{ total_steps: { "4": 3 } }],
    });
    expect((await world.call("GET", "/api/data/overview", { as: "ada" })).status).toBe(403);
    const long = await world.call("GET", "/api/data/overview?start_timestamp=1&end_timestamp=9999999", { as: "admin" });
    expect(long.body).toMatchObject({ success: false, code: "range_too_long", params: { days: "31" } });
  });
});

describe("price list", () => {
  it("is closed to visitors if the option is set", async () => {
    const closed = await startGatewayWorld({ options: { PublicPricingEnabled: "false" } });
    closed.fakes.prices.listPrices = async () => ({ prices: [], groups: [] });
    closed.fakes.channels.listAbilities = async () => ({ abilities: [], mappedModels: [], unavailable: [] });
    expect((await closed.call("GET", "/api/pricing")).status).toBe(401);
    expect((await closed.call("GET", "/api/pricing", { as: "ada" })).body.success).toBe(true);
    await closed.stop();
  });

  it("is published as ratios if the option is set", async () => {
    const refused = await world.call("GET", "/api/ratio_config");
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ success: false, code: "ratio_config_disabled" });
    const open = await startGatewayWorld({ options: { ExposeRatioEnabled: "true", ModelRatio: '{"gpt-4o":1.25}' } });
    const published = await open.call("GET", "/api/ratio_config");
    expect(published.body).toMatchObject({ success: true, data: { model_ratio: { "gpt-4o": 1.25 }, price_rules: {} } });
    await open.stop();
  });
});

describe("margin report", () => {
  const margin = (key: string, name: string, knownQuota: number, cost: number) => ({
    key,
    name,
    count: 3,
    quota: 500_000,
    refunded: 0,
    knownCount: 2,
    knownQuota,
    cost,
  });

  it("is for administrators only, as JSON and as a file", async () => {
    world.fakes.reports.getMargins = async () => ({
      firstDay: 86_400,
      rows: [margin("3", "=main", 400_000, 650_000)],
      total: margin("", "", 400_000, 650_000),
      rowCount: 1,
    });
    const range = "start_timestamp=86400&end_timestamp=90000";
    const response = await world.call("GET", `/api/data/margin?${range}&by=channel`, { as: "admin" });
    const data = Margins.parse(response.body.data);
    expect(data.rows).toMatchObject([
      { key: "3", known_count: 2, known_quota: 400_000, cost: 650_000, margin: -250_000 },
    ]);
    expect(world.last("getMargins")?.request).toMatchObject({
      startSeconds: 86_400,
      endSeconds: 90_000,
      by: "channel",
    });
    const headers = { cookie: "session=admin" };
    const file = await fetch(`${world.url}/api/data/margin/export?${range}&by=channel&lang=en`, { headers });
    expect(await file.text()).toBe(
      "Channel,Channel name,Calls,Charged,Refunded,Calls of known cost,Charged for them,Upstream cost,Margin,Margin in dollars\r\n" +
        "3,'=main,3,500000,0,2,400000,650000,-250000,-0.5\r\n",
    );
    for (const path of ["/api/data/margin", "/api/data/margin/export"])
      expect((await world.call("GET", `${path}?${range}`, { as: "ada" })).status).toBe(403);
  });

  it("refuses a range that is too long, and a dimension that does not exist", async () => {
    const long = await world.call("GET", "/api/data/margin?start_timestamp=1&end_timestamp=99999999", { as: "admin" });
    expect(long.body).toMatchObject({ success: false, code: "range_too_long" });
    const other = await world.call("GET", "/api/data/margin?by=password", { as: "admin" });
    expect(other.body).toMatchObject({ success: false, code: "invalid_input" });
  });
});
