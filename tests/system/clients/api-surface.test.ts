import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiResponse, ConsoleClient } from "../../lib/console-client.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { ROOT_USER, startWorld, type World } from "../../lib/world.ts";

/** The lowest role that may make a call; all roles above it may too. */
type Role = "anyone" | "user" | "admin" | "root";
const ROLES: readonly Role[] = ["anyone", "user", "admin", "root"];

type Row = {
  readonly call: `${"GET" | "POST" | "PUT" | "DELETE"} /api/${string}`;
  readonly who: Role;
  readonly query?: Record<string, string | number>;
  readonly body?: unknown;
  /** The shape of `data`; a function if it depends on the setup. */
  readonly data: unknown;
};

const text: unknown = expect.any(String);
const number: unknown = expect.any(Number);
const flag: unknown = expect.any(Boolean);
const list: unknown = expect.any(Array);
const map: unknown = expect.any(Object);
const page = { items: list, page: number, total: number };
const account = { id: number, username: text, display_name: text, role: number, status: number, group: text };

/** The calls that compatible clients make for users, messages, settings, logs and status. */
const ROWS: readonly Row[] = [
  {
    call: "GET /api/status",
    who: "anyone",
    data: { version: text, system_name: text, quota_per_unit: number, setup: true },
  },
  { call: "GET /api/setup", who: "anyone", data: { status: true, root_init: true, database_type: text } },
  { call: "GET /api/notice", who: "anyone", data: text },
  { call: "GET /api/about", who: "anyone", data: text },
  { call: "GET /api/home_page_content", who: "anyone", data: text },
  { call: "GET /api/pricing", who: "anyone", data: list },
  { call: "GET /api/oauth/state", who: "anyone", data: text },
  {
    call: "GET /api/user/self",
    who: "user",
    data: { ...account, quota: number, used_quota: number, request_count: number, aff_code: text },
  },
  { call: "PUT /api/user/self", who: "user", body: { display_name: "Someone" }, data: account },
  { call: "GET /api/user/models", who: "user", data: list },
  { call: "GET /api/user/self/groups", who: "user", data: { default: { desc: text, ratio: number } } },
  { call: "GET /api/user/aff", who: "user", data: text },
  { call: "GET /api/user/check_in_status", who: "user", data: { can_check_in: flag } },
  {
    call: "PUT /api/user/setting",
    who: "user",
    body: { notify_type: "email", quota_warning_threshold: 500_000, notification_email: "" },
    data: null,
  },
  { call: "GET /api/user/messages", who: "user", query: { p: 1, page_size: 10 }, data: page },
  { call: "GET /api/user/messages/unread_count", who: "user", data: { unread_count: 0 } },
  { call: "GET /api/models", who: "user", data: map },
  { call: "GET /api/log/self", who: "user", query: { p: 1, page_size: 10 }, data: { ...page, page_size: 10 } },
  { call: "GET /api/log/self/stat", who: "user", data: { quota: number, rpm: number, tpm: number } },
  { call: "GET /api/data/self", who: "user", data: list },
  { call: "GET /api/token", who: "user", query: { p: 0, size: 10 }, data: list },
  { call: "GET /api/token/search", who: "user", query: { keyword: "nothing", token: "" }, data: [] },
  { call: "GET /api/mj/self", who: "user", query: { p: 1, mj_id: "", start_timestamp: 0 }, data: list },
  { call: "GET /api/task/self", who: "user", query: { p: 1, task_id: "", start_timestamp: 0 }, data: list },
  { call: "GET /api/mj", who: "admin", query: { p: 1, channel_id: "", mj_id: "" }, data: list },
  { call: "GET /api/task", who: "admin", query: { p: 1, channel_id: "", task_id: "" }, data: list },
  { call: "GET /api/user", who: "admin", query: { p: 1, page_size: 10 }, data: page },
  {
    call: "GET /api/user/search",
    who: "admin",
    query: { keyword: "root", group: "", p: 1, page_size: 10 },
    data: { ...page, total: 1 },
  },
  { call: "GET /api/group", who: "admin", data: expect.arrayContaining(["default"]) },
  { call: "GET /api/admin/messages", who: "admin", query: { p: 1, page_size: 10 }, data: page },
  {
    call: "GET /api/admin/messages/search",
    who: "admin",
    query: { p: 1, page_size: 10, keyword: "x", start_date: "", end_date: "" },
    data: page,
  },
  { call: "GET /api/option", who: "admin", data: expect.arrayContaining([{ key: text, value: text }]) },
  {
    call: "GET /api/log",
    who: "admin",
    query: { p: 1, page_size: 10, type: 0, username: "", token_name: "", model_name: "", channel: "", group: "" },
    data: { ...page, page_size: 10 },
  },
  { call: "GET /api/log/stat", who: "admin", data: { quota: number, rpm: number, tpm: number } },
  { call: "DELETE /api/log", who: "admin", query: { target_timestamp: 1 }, data: number },
  { call: "GET /api/data", who: "admin", data: list },
  { call: "GET /api/channel", who: "admin", query: { p: 0, page_size: 10, id_sort: "true" }, data: list },
  { call: "GET /api/channel/search", who: "admin", query: { keyword: "openai", group: "", model: "" }, data: list },
  {
    call: "GET /api/channel/models",
    who: "admin",
    data: expect.arrayContaining([expect.objectContaining({ id: text })]),
  },
  { call: "GET /api/channel/models_enabled", who: "admin", data: expect.arrayContaining(["gpt-4o"]) },
  { call: "POST /api/channel/fix", who: "admin", data: number },
  { call: "DELETE /api/channel/disabled", who: "admin", data: 0 },
  { call: "GET /api/redemption", who: "admin", query: { p: 0, page_size: 10 }, data: page },
  { call: "GET /api/redemption/search", who: "admin", query: { keyword: "x", p: 0, page_size: 10 }, data: page },
  { call: "GET /api/redemption/count-by-name", who: "admin", query: { name: "x" }, data: 0 },
  { call: "PUT /api/redemption/batch-disable", who: "admin", body: { ids: [99_999] }, data: 0 },
  { call: "DELETE /api/redemption/delete-disabled", who: "admin", data: 0 },
  { call: "POST /api/option/rest_model_ratio", who: "admin", data: null },
];

const PASSWORD = "turnpike-user-1";
let world: World;
let testSite: TestSite;
const clients: Partial<Record<Role, ConsoleClient>> = {};
const as = (role: Role): ConsoleClient => clients[role] ?? world.visitor();

beforeAll(async () => {
  world = await startWorld({ backing: testBacking(), env: { GENERATE_DEFAULT_TOKEN: "true" } });
  testSite = await openTestSite(world, "http://127.0.0.1:1");
  const user = await testSite.createUser(1_000_000);
  const admin = await testSite.createUser(1_000_000);
  await testSite.root.post("/api/user/manage", { id: admin.id, action: "promote" });
  // A promoted user has to sign in again.
  const promoted = world.visitor();
  await promoted.login(admin.username, admin.password);
  Object.assign(clients, { anyone: world.visitor(), user: user.client, admin: promoted, root: testSite.root });
}, 120_000);
afterAll(() => world?.stop());

function send(row: Row, role: Role, form: "plain" | "slash"): Promise<ApiResponse> {
  const [method = "", path = ""] = row.call.split(" ");
  const options = {
    ...(row.query === undefined ? {} : { query: row.query }),
    ...(row.body === undefined ? {} : { body: row.body }),
  };
  return as(role).call(method, form === "slash" ? `${path}/` : path, options);
}

describe.each(ROWS)("$call", (row) => {
  const allowed = ROLES.slice(ROLES.indexOf(row.who));
  it.each(ROLES.slice(0, ROLES.indexOf(row.who)))("refuses: %s", async (role) => {
    for (const form of ["plain", "slash"] as const) {
      const response = await send(row, role, form);
      expect(response).toMatchObject({
        status: role === "anyone" ? 401 : 403,
        success: false,
        message: expect.stringMatching(/./) as string,
        code: role === "anyone" ? "unauthenticated" : "permission_denied",
      });
      expect(response.data).toBeFalsy();
    }
  });
  it.each(allowed)("returns its shape, with and without a trailing slash: %s", async (role) => {
    for (const form of ["plain", "slash"] as const) {
      const response = await send(row, role, form);
      expect(response).toMatchObject({ success: true, data: row.data });
    }
  });
});

describe("compatible client", () => {
  it("works with a system access token and its user header as with a session", async () => {
    const token = await as("user").get<string>("/api/user/token");
    const { id } = await as("user").get<{ id: number }>("/api/user/self");
    const headers = { authorization: token, "Veloera-User": String(id) };
    const response = await world.visitor().call<{ id: number }>("GET", "/api/user/self", { headers });
    expect(response.data.id).toBe(id);
  });

  it("registers, signs in, and finds the token created at registration if that is enabled", async () => {
    await testSite.root.put("/api/option/", { key: "RegisterEnabled", value: "true" });
    const visitor = world.visitor();
    await testSite.eventually("registration", 3_000, async () => {
      const response = await visitor.call("POST", "/api/user/register", {
        body: { username: "newcomer", password: PASSWORD, password2: PASSWORD },
      });
      return response.success ? true : undefined;
    });
    await visitor.login("newcomer", PASSWORD);
    const tokens = await visitor.get<unknown[]>("/api/token/", { p: 0, size: 10 });
    expect(tokens).toEqual([
      expect.objectContaining({
        name: "newcomer的初始令牌",
        unlimited_quota: true,
        expired_time: -1,
        remain_quota: 500_000,
      }),
    ]);
  });

  it("is signed out everywhere within a second when it is banned", async () => {
    const { id, client } = await testSite.createUser(1_000_000);
    const { key } = await testSite.token({}, client);
    const models = (): Promise<Response> =>
      fetch(`${world.relayUrl}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect((await models()).status).toBe(200);
    await testSite.root.post("/api/user/manage", { id, action: "disable" });
    await testSite.eventually("the end of the session and the key", 1_000, async () => {
      const session = await client.call("GET", "/api/user/self");
      return session.status === 401 && (await models()).status >= 400 ? true : undefined;
    });
  });

  it("receives messages in its language", async () => {
    const response = await world.visitor().call("POST", "/api/user/login", {
      body: { username: ROOT_USER.username, password: "wrong-password" },
      headers: { "accept-language": "en" },
    });
    expect(response.success).toBe(false);
    expect(response.message).toMatch(/^[\x20-\x7e]+$/);
  });
});
