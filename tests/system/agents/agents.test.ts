import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let down: FakeUpstream;
let testSite: TestSite;
let key: string;

const KINDS = [
  ["OpenAI", 1, "agent-openai"],
  ["Claude", 14, "claude-agent"],
  ["Gemini", 24, "gemini-agent"],
] as const;
const FAILING = "claude-failover";
const FAILING_CLAUDE = "gpt-failover";
const MESSAGES = [{ role: "user", content: "hi" }];
const CODE_EXECUTION = { type: "code_execution_20250825", name: "code_execution" };
const BUILT_IN = { type: "builtin_function", function: { name: "$web_search" } };

beforeAll(async () => {
  [upstream, down] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  down.always({}, { refuse: { status: 500 } });
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  for (const option of ["fallback_input_ratio", "fallback_completion_ratio"])
    await testSite.root.put("/api/option/", { key: option, value: "1" });
  await testSite.root.put("/api/option/", { key: "fallback_pricing_enabled", value: "true" });
  for (const [, type, models] of KINDS)
    await testSite.root.post("/api/channel/", {
      type,
      name: models,
      key: "k",
      base_url: upstream.url,
      models,
      group: "default",
    });
  const common = { models: FAILING, group: "default" };
  await testSite.root.post("/api/channel/", { ...common, type: 14, name: "claude", key: "k", base_url: upstream.url });
  await testSite.root.post("/api/channel/", { ...common, type: 1, name: "down", key: "k", base_url: down.url });
  const swapped = { models: FAILING_CLAUDE, group: "default" };
  await testSite.root.post("/api/channel/", { ...swapped, type: 1, name: "gpt", key: "k", base_url: upstream.url });
  await testSite.root.post("/api/channel/", { ...swapped, type: 14, name: "down", key: "k", base_url: down.url });
  ({ key } = await testSite.token());
  const isReady = async () => (await request({ model: FAILING, input: "x" })).status === 200 || undefined;
  await testSite.eventually("routing", 20_000, isReady);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all([upstream?.stop(), down?.stop()]);
});

const request = async (body: object): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${world.relayUrl}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

describe("session of an agent", () => {
  it("stands in the log row of its calls, and one that is too long is refused by name", async () => {
    const send = (session: string) =>
      fetch(`${world.relayUrl}/v1/responses`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}`, session_id: session },
        body: JSON.stringify({ model: "claude-agent", input: "x" }),
      });
    const served = await send("0197-session");
    const row = await testSite.readLogRow(served.headers.get("x-request-id") ?? "");
    expect(JSON.parse(row.other)).toMatchObject({ session_id: "0197-session" });
    const refused = await send("x".repeat(257));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('"param":"session_id"')]);
  });
});

describe("call of a session", () => {
  const HEADERS = ["x-claude-code-session-id", "session-id", "session_id", "x-session-id", "x-litellm-session-id"];
  const send = (header: string, session: string, asKey = key) =>
    fetch(`${world.relayUrl}/v1/responses`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${asKey}`, [header]: session },
      body: JSON.stringify({ model: "agent-openai", input: "x" }),
    });
  type Stat = { quota: number; session?: Record<string, number> };

  it("is found and summed by the session's id, whichever header names it, and by its user alone", async () => {
    const session = `0198-${Date.now()}`;
    for (const header of HEADERS) expect((await send(header, session)).status).toBe(200);
    const filter = { session_id: session, p: 1, page_size: 100 };
    const rows = await testSite.eventually("the log rows", 15_000, async () => {
      const { items } = await testSite.logs(filter);
      return items.length === HEADERS.length ? (items as (LogRow & { created_at: number })[]) : undefined;
    });
    const sum = (read: (row: LogRow) => number) => rows.reduce((total, row) => total + read(row), 0);
    const times = rows.map(({ created_at: at }) => at);
    const expected = {
      calls: HEADERS.length,
      prompt_tokens: sum(({ prompt_tokens: tokens }) => tokens),
      completion_tokens: sum(({ completion_tokens: tokens }) => tokens),
      quota: sum(({ quota }) => quota),
      first_at: Math.min(...times),
      last_at: Math.max(...times),
    };
    const query = { session_id: session };
    for (const path of ["/api/log/stat", "/api/log/self/stat"])
      expect(await testSite.root.get<Stat>(path, query)).toMatchObject({ quota: expected.quota, session: expected });
    expect(await testSite.root.get<Stat>("/api/log/stat")).not.toHaveProperty("session");
    const other = await testSite.createUser(1_000_000);
    const nothing = { calls: 0, prompt_tokens: 0, completion_tokens: 0, quota: 0, first_at: 0, last_at: 0 };
    expect(await other.client.get<Stat>("/api/log/self/stat", query)).toMatchObject({ quota: 0, session: nothing });
    expect(await other.client.get("/api/log/self", filter)).toMatchObject({ total: 0, items: [] });
  });
});

const fn = (name: string) => ({
  type: "function",
  name,
  parameters: { type: "object", properties: {} },
  strict: false,
});
/** What Codex offers with an MCP server and its default settings. */
const TOOLS = [
  fn("exec_command"),
  { type: "namespace", name: "mcp__files__", description: "Files", tools: [fn("read")] },
  { type: "web_search", external_web_access: false },
  { type: "image_generation", output_format: "png" },
];

describe("tool of an agent", () => {
  it.each(KINDS.slice(1))(
    "is served by a channel of %s, and its calls return with their namespace",
    async (_, __, model) => {
      const called = { toolCalls: [{ name: "mcp__files__read", arguments: { path: "a" } }] };
      for (const stream of [false, true]) {
        upstream.next({ model }, called);
        const { status, text } = await request({ model, stream, input: "Read the file.", tools: TOOLS });
        expect([status, text]).toEqual([200, expect.stringMatching(/"name":"read","namespace":"mcp__files__"/)]);
      }
    },
  );

  it("does not exclude a channel without it from failover: that channel comes last", async () => {
    const callsBefore = down.calls.length;
    const tools = [...TOOLS, { type: "file_search", vector_store_ids: ["vs_1"] }];
    expect(await request({ model: FAILING, input: "x", tools })).toMatchObject({ status: 200 });
    expect(down.calls.length).toBe(callsBefore + 1);
  });

  it.each([
    ["Anthropic", "/v1/messages", "code_execution", { max_tokens: 99, tools: [CODE_EXECUTION], messages: MESSAGES }],
    ["OpenAI", "/v1/chat/completions", "builtin_function", { tools: [BUILT_IN], messages: MESSAGES }],
  ])("of %s's format does not exclude channels of another kind either", async (_, path, tool, body) => {
    const model = path === "/v1/messages" ? FAILING_CLAUDE : FAILING;
    const callsBefore = down.calls.length;
    for (let turn = 0; turn < 4; turn++) {
      const sent = { method: "POST", body: JSON.stringify({ model, ...body }) };
      const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
      const response = await fetch(world.relayUrl + path, { ...sent, headers });
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    }
    // The breaker of the failing channel opens after some calls.
    expect(down.calls.length).toBeGreaterThan(callsBefore);
    expect(JSON.stringify(upstream.calls.at(-1)?.body)).not.toContain(tool);
  });

  it("is refused by name if the model must call it and no channel has it", async () => {
    const { status, text } = await request({
      model: "claude-agent",
      input: "x",
      tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }],
      tool_choice: { type: "file_search" },
    });
    expect([status, text]).toEqual([400, expect.stringContaining('"param":"tool_choice"')]);
  });
});
