import { request as httpRequest } from "node:http";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMemoryRateLimiter } from "@turnpike/shared/rate-limit/memory-rate-limiter";
import { type GatewayWorld, USERS, startGatewayWorld } from "./gateway-world.ts";

describe("console API responses", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld({ options: { SystemName: "Tollhouse", Notice: "hello", CheckInEnabled: "true" } });
    world.fakes.tokens.deleteToken = async () => ({});
    world.fakes.auth.setOption = async () => ({ revision: 2 });
    world.fakes.tokens.listTokens = async () => ({ items: [], total: 0 });
  });
  afterAll(() => world.stop());

  it.each([
    ["GET", "/api/status"],
    ["GET", "/api/token/"],
    ["DELETE", "/api/token/4"],
    ["PUT", "/api/option"],
    ["GET", "/api/group"],
  ])("serves %s %s with and without a trailing slash", async (method, path) => {
    const body = method === "PUT" ? { key: "Notice", value: "x" } : undefined;
    const bare = path.replace(/\/$/, "");
    for (const form of [bare, `${bare}/`]) {
      const response = await world.call(method, form, { as: "root", body });
      expect([form, response.status, response.body.success]).toEqual([form, 200, true]);
    }
  });

  it("changes several settings with one call to the service that owns them", async () => {
    const requests: unknown[] = [];
    world.fakes.auth.setOptions = async (request) => {
      requests.push(request);
      return { revision: 3 };
    };
    const options = [
      { key: "RetryTimes", value: 3 },
      { key: "Notice", value: "x" },
    ];
    const done = await world.call("PUT", "/api/option/batch", { as: "root", body: { options } });
    expect([done.status, done.body.success]).toEqual([200, true]);
    expect(requests).toEqual([
      {
        options: [
          { key: "RetryTimes", value: "3" },
          { key: "Notice", value: "x" },
        ],
      },
    ]);
    const empty = await world.call("PUT", "/api/option/batch", { as: "root", body: { options: [] } });
    expect([empty.status, empty.body.code, requests.length]).toEqual([200, "invalid_input", 1]);
  });

  it("shows the site's status to every caller, and reports unimplemented features as off", async () => {
    const { body } = await world.call("GET", "/api/status");
    expect(body.data).toMatchObject({
      system_name: "Tollhouse",
      version: "1.2.3",
      start_time: 1_700_000_000,
      setup: true,
      status: true,
      root_init: true,
      database_type: "mongodb",
      quota_per_unit: 500_000,
      check_in_enabled: true,
      aff_enabled: true,
      github_oauth: false,
    });
    expect((await world.call("GET", "/api/notice")).body.data).toBe("hello");
  });

  it("sends a request id, forbids intermediate caching, and forbids foreign scripts", async () => {
    const { headers } = await world.call("GET", "/api/status");
    expect(headers.get("x-request-id")).toMatch(/^[0-9A-Z]{26}$/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("script-src 'self';");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-powered-by")).toBeNull();
  });

  it("sends errors in the caller's language, else in the site's, else in English", async () => {
    const chineseSite = await startGatewayWorld({ options: { DefaultLanguage: "zh" } });
    const getMessage = async (at: GatewayWorld, language?: string): Promise<string> => {
      at.fakes.auth.createUser = async () => {
        throw new AppError("username_taken", "taken", { params: { username: "ada" } });
      };
      const headers: Record<string, string> = language === undefined ? {} : { "accept-language": language };
      const body = { username: "ada", password: "12345678" };
      const response = await at.call("POST", "/api/user/", { as: "admin", body, headers });
      expect(response.status).toBe(200);
      const { message, ...rest } = response.body;
      expect(rest).toEqual({ success: false, code: "username_taken", params: { username: "ada" } });
      return message;
    };
    const [english, chinese] = ["The user name ada is taken", "用户名 ada 已被使用"];
    expect(await getMessage(world)).toBe(english);
    expect(await getMessage(world, "fr")).toBe(english);
    expect(await getMessage(world, "zh-CN,zh;q=0.9,en;q=0.8")).toBe(chinese);
    expect(await getMessage(chineseSite)).toBe(chinese);
    expect(await getMessage(chineseSite, "fr")).toBe(chinese);
    expect(await getMessage(chineseSite, "en-GB,en;q=0.9,zh;q=0.8")).toBe(english);
    await chineseSite.stop();
  });

  it.each([
    ["broken JSON", `{"username":`, 400, "body_unreadable"],
    ["an array", "[1]", 400, "body_unreadable"],
    ["a bare number", "7", 400, "body_unreadable"],
    ["a form", "username=ada&password=1", 400, "body_unreadable"],
    ["no body", undefined, 400, "body_unreadable"],
    ["a body above 1 MiB", JSON.stringify({ username: "x".repeat(1_100_000) }), 413, "body_too_large"],
    ["a value of the wrong type", `{"username":{"$gt":""},"password":"x"}`, 200, "invalid_input"],
  ])("reports what is wrong with %s", async (_, body, status, code) => {
    const response = await world.call("POST", "/api/user/login", { body });
    expect([response.status, response.body.success, response.body.code]).toEqual([status, false, code]);
  });

  it("reports the invalid fields", async () => {
    const response = await world.call("PUT", "/api/user/", { as: "admin", body: { id: "x", quota: 1.5 } });
    expect(response.body).toMatchObject({ code: "invalid_input", params: { detail: "id, quota" } });
  });

  it("accepts numbers sent as text, and null as missing", async () => {
    world.fakes.auth.updateUser = async () => ({ user: USERS.ada });
    world.fakes.accounts.setQuota = async () => ({ account: undefined, change: 0 });
    const body = { id: "7", quota: "900", group: null, password: "" };
    const response = await world.call("PUT", "/api/user/", { as: "admin", body });
    expect(response.body.success).toBe(true);
    expect(world.last("updateUser")?.request).toMatchObject({ id: 7, group: undefined, password: undefined });
    expect(world.last("setQuota")?.request).toMatchObject({ userId: 7, username: "ada", quota: 900 });
  });

  it("refuses a number out of range as bad input", async () => {
    const response = await world.call("GET", "/api/token/?p=99999999999", { as: "ada" });
    expect([response.status, response.body.code]).toEqual([200, "invalid_input"]);
  });

  it("returns 404 in the API's format for unknown paths", async () => {
    for (const path of ["/api", "/api/nonsense", "/api/user/nothing", "/api/channel/disabled/now", "/api/%ff"]) {
      const response = await world.call("GET", path, { as: "ada" });
      expect([path, response.status, response.body.success, response.body.code]).toEqual([
        path,
        404,
        false,
        "not_found",
      ]);
    }
    expect((await world.call("DELETE", "/api/status")).status).toBe(404);
  });

  it("returns a bug as 500 with the request id and no details", async () => {
    world.fakes.auth.listOptions = async () => {
      throw new Error("secret internals");
    };
    const response = await world.call("GET", "/api/option/", { as: "root" });
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ success: false, code: "internal" });
    expect(response.body.params.request_id).toBe(response.headers.get("x-request-id"));
    expect(JSON.stringify(response.body)).not.toContain("secret");
  });

  it("survives a request whose body is never completed", async () => {
    const request = httpRequest(`${world.url}/api/user/login`, { method: "POST", headers: { "content-length": 100 } });
    request.on("error", () => undefined);
    request.write("{");
    await new Promise((resolve) => setImmediate(resolve));
    request.destroy();
    expect((await world.call("GET", "/api/status")).status).toBe(200);
  });
});

describe("gateway while a service is down", () => {
  it("returns 503 for calls that need the service, and serves all others", async () => {
    const world = await startGatewayWorld({ away: ["BILLING_ADDRESS", "MESSAGING_ADDRESS"] });
    world.fakes.channels.listChannels = async () => ({ items: [], total: 0 });
    world.fakes.auth.listOptions = async () => ({ options: [{ key: "ModelPrice", value: "{}" }] });
    for (const path of ["/api/token/", "/api/log/self", "/api/user/self", "/api/user/messages/unread_count"]) {
      const response = await world.call("GET", path, { as: "ada" });
      expect([path, response.status, response.body.code]).toEqual([path, 503, "unavailable"]);
      expect(response.headers.get("retry-after")).toBe("5");
    }
    for (const path of ["/api/status", "/api/channel/", "/api/option/"]) {
      expect((await world.call("GET", path, { as: "root" })).body.success).toBe(true);
    }
    await world.stop();
  });

  it("reports that auth has not responded yet instead of showing default settings", async () => {
    const world = await startGatewayWorld({ away: ["AUTH_ADDRESS"] });
    for (const path of ["/api/status", "/api/notice", "/api/user/self"]) {
      const response = await world.call("GET", path, { as: "ada" });
      expect([path, response.status, response.body.code]).toEqual([path, 503, "unavailable"]);
    }
    await world.stop();
  });
});

describe("rate limit of the console API", () => {
  it("returns 429 with the time to wait, and does not limit files", async () => {
    const limiter = createMemoryRateLimiter({ max: 2, windowSeconds: 1_000 });
    const world = await startGatewayWorld({ limiter });
    await world.call("GET", "/api/status");
    await world.call("GET", "/api/status");
    const third = await world.call("GET", "/api/status");
    expect([third.status, third.body.code, third.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      third.body.params.seconds,
    ]);
    expect((await world.call("GET", "/")).status).toBe(200);
    await world.stop();
  });
});

describe("console files", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld();
  });
  afterAll(() => world.stop());

  it("caches files for a year if their names contain a content hash, and compresses them", async () => {
    const file = await world.call("GET", "/assets/main-abc123.js", { headers: { "accept-encoding": "gzip" } });
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(file.headers.get("content-encoding")).toBe("gzip");
  });
  it("serves the page, revalidated each time, for every path of the console", async () => {
    for (const path of ["/", "/index.html", "/app/tokens", "/admin/channels/", "/v1beta-notes"]) {
      const page = await world.call("GET", path);
      expect([path, page.status, page.headers.get("cache-control")]).toEqual([path, 200, "no-cache"]);
      expect(page.body).toContain("<title>console</title>");
    }
  });
  it("never serves the page for a missing build file, or files outside the folder", async () => {
    expect((await world.call("GET", "/assets/gone-000000.js")).status).toBe(404);
    const outside = await world.call("GET", "/assets/..%2f..%2fpackage.json");
    expect(outside.status).toBe(404);
    expect((await world.call("POST", "/app/tokens")).status).toBe(404);
  });
});
