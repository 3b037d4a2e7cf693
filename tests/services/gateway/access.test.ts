import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayWorld, USERS, startGatewayWorld } from "./gateway-world.ts";

const ACCOUNT = { userId: 7, credits: 1000, spent: 400, requestCount: 3 };

describe("access to the console API", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld({ trustedProxies: ["127.0.0.1"] });
    world.fakes.accounts.getAccounts = async () => ({ accounts: [ACCOUNT] });
    world.fakes.auth.listUsers = async () => ({ items: [USERS.ada], total: 1 });
    world.fakes.auth.login = async () => ({ sessionId: "ada", expiresAtSeconds: 1, user: USERS.ada });
    world.fakes.auth.logout = async () => ({});
    world.fakes.auth.createAccessToken = async () => ({ accessToken: "new token" });
  });
  afterAll(() => world.stop());
  beforeEach(() => void world.seen.splice(0));

  it("signs in with a cookie that scripts cannot read, and passes the caller's address to auth", async () => {
    const response = await world.call("POST", "/api/user/login", {
      body: { username: " ada ", password: "secret-123" },
      headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.5", "user-agent": "tests" },
    });
    expect(response.body).toMatchObject({ success: true, message: "", data: { id: 7, username: "ada", role: 1 } });
    expect(response.headers.getSetCookie()).toEqual([
      "session=ada; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
      expect.stringMatching(/^browser=[\w-]{32}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/) as string,
    ]);
    expect(world.last("login")?.request).toMatchObject({ username: "ada", address: "203.0.113.5", userAgent: "tests" });
  });

  it("passes on how long to wait after too many failed sign-ins", async () => {
    world.fakes.auth.login = async () => {
      throw new AppError("login_rate_limited", "too many", { params: { seconds: "120" } });
    };
    const response = await world.call("POST", "/api/user/login", { body: { username: "ada", password: "wrong" } });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("120");
    expect(response.body).toMatchObject({ success: false, code: "login_rate_limited", params: { seconds: "120" } });
  });

  it("ends the session on sign-out", async () => {
    const response = await world.call("GET", "/api/user/logout", { as: "ada" });
    expect(response.body.success).toBe(true);
    expect(response.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(world.last("logout")?.request).toEqual({ sessionId: "ada" });
  });

  it("identifies users by session and by access token, with and without Bearer", async () => {
    const bySession = await world.call("GET", "/api/user/self", { as: "ada" });
    expect(bySession.body.data).toMatchObject({
      id: 7,
      quota: 600,
      used_quota: 400,
      request_count: 3,
      DeletedAt: null,
    });
    expect(bySession.headers.get("set-cookie")).toContain("session=ada");
    for (const authorization of ["ada", "Bearer ada"]) {
      const byToken = await world.call("GET", "/api/user/self", { headers: { authorization } });
      expect(byToken.body.data.username).toBe("ada");
      expect(byToken.headers.get("set-cookie")).toBeNull();
    }
  });

  it("never shows the secret in a user's settings", async () => {
    const { body } = await world.call("GET", "/api/user/self", { as: "ada" });
    expect(JSON.parse(body.data.setting)).toEqual({ notify_type: "webhook" });
  });

  it("returns 401 without credentials, with an ended session, and with a wrong token", async () => {
    const visitor = await world.call("GET", "/api/user/self");
    expect(visitor.status).toBe(401);
    expect(visitor.body).toMatchObject({ success: false, code: "unauthenticated", params: {} });
    const ended = await world.call("GET", "/api/user/self", { headers: { cookie: "session=ended" } });
    expect([ended.status, ended.body.code]).toEqual([401, "unauthenticated"]);
    const wrong = await world.call("GET", "/api/user/self", { headers: { authorization: "Bearer nobody" } });
    expect([wrong.status, wrong.body.code]).toEqual([401, "access_token_invalid"]);
  });

  it("refuses a user header that names another user, and requires none", async () => {
    for (const name of ["Veloera-User", "New-Api-User"]) {
      const same = await world.call("GET", "/api/user/self", { as: "ada", headers: { [name]: "7" } });
      expect(same.body.success).toBe(true);
      const other = await world.call("GET", "/api/user/self", { as: "ada", headers: { [name]: "1" } });
      expect([other.status, other.body.code]).toEqual([401, "user_header_mismatch"]);
    }
  });

  it.each([
    ["GET", "/api/user/"],
    ["GET", "/api/user/search"],
    ["GET", "/api/user/3"],
    ["POST", "/api/user/"],
    ["PUT", "/api/user/"],
    ["POST", "/api/user/manage"],
    ["GET", "/api/channel/"],
    ["POST", "/api/channel/"],
    ["PUT", "/api/channel/"],
    ["DELETE", "/api/channel/3"],
    ["GET", "/api/channel/test/3"],
    ["POST", "/api/channel/fetch_models"],
    ["GET", "/api/redemption/"],
    ["POST", "/api/redemption/"],
    ["PUT", "/api/redemption/"],
    ["DELETE", "/api/redemption/3"],
    ["GET", "/api/log/"],
    ["GET", "/api/log/stat"],
    ["DELETE", "/api/log/?target_timestamp=5"],
    ["GET", "/api/data/"],
    ["GET", "/api/ledger/?user_id=1"],
    ["GET", "/api/audit/"],
    ["GET", "/api/group/"],
    ["GET", "/api/option/"],
    ["PUT", "/api/option/"],
    ["PUT", "/api/option/batch"],
    ["GET", "/api/option/prices"],
    ["PUT", "/api/option/prices"],
    ["POST", "/api/option/rehearsal"],
    ["GET", "/api/channel/1/report"],
    ["POST", "/api/channel/1/report"],
    ["PUT", "/api/channel/1/report_key"],
    ["POST", "/api/option/rest_model_ratio"],
    ["GET", "/api/admin/messages/"],
    ["POST", "/api/admin/messages/"],
    ["DELETE", "/api/admin/messages/3"],
  ])("restricts %s %s to admins", async (method, path) => {
    const body = method === "GET" || method === "DELETE" ? undefined : {};
    const asUser = await world.call(method, path, { as: "ada", body });
    expect([asUser.status, asUser.body.code]).toEqual([403, "permission_denied"]);
    const asVisitor = await world.call(method, path, { body });
    expect([asVisitor.status, asVisitor.body.code]).toEqual([401, "unauthenticated"]);
    expect(world.seen.every(({ rpc }) => rpc === "resolveSession")).toBe(true);
  });

  it("passes the acting user to services", async () => {
    await world.call("GET", "/api/user/", { as: "admin", headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(world.last("listUsers")?.actor).toEqual({
      userId: 2,
      username: "admin",
      role: 10,
      address: "203.0.113.9",
    });
  });

  it("refuses state changes sent by another site's page, and a GET that creates a token", async () => {
    const crossSite = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const write = await world.call("PUT", "/api/user/self", { as: "ada", body: {}, headers: crossSite });
    expect([write.status, write.body.code]).toEqual([403, "cross_site_refused"]);
    const login = await world.call("POST", "/api/user/login", { body: {}, headers: { origin: "null" } });
    expect(login.body.code).toBe("cross_site_refused");
    const token = await world.call("GET", "/api/user/token", { as: "ada", headers: crossSite });
    expect(token.body.code).toBe("cross_site_refused");
    expect(world.seen).toEqual([]);
    const own = await world.call("GET", "/api/user/token", { as: "ada", headers: { "sec-fetch-site": "same-origin" } });
    expect(own.body.data).toBe("new token");
  });
});
