import { MARGIN_DIMENSIONS, type Margins } from "@turnpike/contract/api/prices/margin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { listServedRoutes } from "../../../scripts/openapi/api-document.ts";
import { type LogRow, openTestSite, type TestSite, type TestUser } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

type CostRow = LogRow & { readonly cost?: number | null; readonly cost_source?: string };

/** Figures that nothing else has: the cost of a call by the table, and what upstream reports, in dollars and ticks. */
const COST = 98_765_431;
const DOLLARS = 0.123_456_789;
const TICKS = 1_234_567_890;
const REPORTED = { cost: DOLLARS, cost_details: { upstream_inference_cost: DOLLARS }, is_byok: false };
const CALLS_MAX = 30;

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let user: TestUser;
let key: string;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  const perCall = { per_call: COST / 1_000_000 };
  const prices = { "gpt-4o": perCall, "claude-3-5-sonnet": perCall, "gemini-2.0-flash": perCall };
  const cost = JSON.stringify({ source: "table", factor: 2, prices });
  for (const name of ["openai", "anthropic", "gemini"])
    await testSite.root.put("/api/channel/", { id: testSite.channelIds[name], cost });
  const reported = { source: "reported", factor: 1 };
  const place = { key: "up-key", base_url: upstream.url, group: "default", type: 20, name: "reporting" };
  await testSite.root.post("/api/channel/", {
    ...place,
    models: "openai/gpt-5,x-ai/grok-4.20",
    cost: JSON.stringify(reported),
  });
  user = await testSite.createUser(100_000_000_000);
  ({ key } = await testSite.token({ unlimited_quota: true }, user.client));
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const HELLO = [{ role: "user", content: "hello" }];
const HEADERS = { "content-type": "application/json" };
const responses: string[] = [];

/** Sends a call as a caller does, and keeps everything that the caller receives. */
async function call(path: string, body?: object, method = body ? "POST" : "GET"): Promise<string> {
  const response = await fetch(world.relayUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "x-goog-api-key": key, ...HEADERS },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  responses.push(`${path}\n${[...response.headers].map((line) => line.join(": ")).join("\n")}\n${text}`);
  return response.headers.get("x-request-id") ?? "";
}
/** The costs and margins of the report, as administrators read them. */
async function readMargins(): Promise<number[]> {
  const reports = await Promise.all(
    MARGIN_DIMENSIONS.map((by) => testSite.root.get<Margins>("/api/data/margin", { by })),
  );
  return reports.flatMap(({ rows, total }) => [...rows, total].flatMap(({ cost, margin }) => [cost, margin]));
}
/** Every GET of the API, with the lowest role that may call it. */
const listReads = () =>
  listServedRoutes()
    .filter(({ method }) => method.toUpperCase() === "GET")
    .map(({ path, spec }) => ({ path: `/api${path}`, access: spec?.access ?? "anyone" }));
/** The description of the API names the fields of every response. */
const DESCRIPTION = "/api/openapi.json";
const readRow = (requestId: string) => testSite.readLogRow(requestId) as Promise<CostRow>;

/** Texts that would show a cost: of one call, or of several together; in quota units or dollars. */
function findFigures(text: string, more: readonly number[] = []): string[] {
  const sums = Array.from({ length: CALLS_MAX }, (_, index) => String(COST * (index + 1)));
  const secrets = [...sums, String(DOLLARS), String(TICKS), ...more.map(String)];
  return secrets.filter((secret) => text.includes(secret));
}

describe("cost of a call", () => {
  it("is in the administrators' log, for every dialect, streamed or not", async () => {
    const chat = { model: "gpt-4o", messages: HELLO };
    const streamed = { ...chat, stream: true, stream_options: { include_usage: true } };
    const ids = [
      await call("/v1/chat/completions", chat),
      await call("/v1/chat/completions", streamed),
      await call("/v1/messages", { ...chat, model: "claude-3-5-sonnet-20241022", max_tokens: 9 }),
      await call("/v1beta/models/gemini-2.0-flash:generateContent", { contents: [{ parts: [{ text: "hello" }] }] }),
    ];
    for (const id of ids) expect(await readRow(id)).toMatchObject({ cost: COST, cost_source: "table" });
  });

  it("is what upstream reports, which the caller does not see", async () => {
    const model = "openai/gpt-5";
    const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
    const message = { role: "assistant", content: 'It has a "cost": 1.' };
    const body = {
      id: "x",
      model,
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { ...usage, ...REPORTED },
    };
    upstream.next({ model }, { raw: { headers: HEADERS, body: JSON.stringify(body) } });
    const id = await call("/v1/chat/completions", { model, messages: HELLO });
    const sent = JSON.parse(responses.at(-1)?.split("\n").at(-1) ?? "") as typeof body;
    expect(sent).toMatchObject({ choices: [{ message }], usage });
    expect(Object.keys(sent.usage)).toEqual(Object.keys(usage));
    expect(await readRow(id)).toMatchObject({ cost: Math.round(DOLLARS * 500_000), cost_source: "reported" });
  });

  it("is read from a stream's last chunk, which reaches the caller without it", async () => {
    const model = "x-ai/grok-4.20";
    const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12, cost_in_usd_ticks: TICKS };
    const chunks = [
      { id: "x", model, choices: [{ index: 0, delta: { role: "assistant", content: "Hi" }, finish_reason: null }] },
      { id: "x", model, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      { id: "x", model, choices: [], usage },
    ];
    const events = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`);
    upstream.next({ model }, { raw: { headers: { "content-type": "text/event-stream" }, body: events.join("") } });
    const stream = { model, messages: HELLO, stream: true, stream_options: { include_usage: true } };
    const id = await call("/v1/chat/completions", stream);
    expect(responses.at(-1)).toContain('"total_tokens":12}');
    expect(await readRow(id)).toMatchObject({ cost: Math.round((TICKS / 1e10) * 500_000), cost_source: "reported" });
  });

  it("is unknown, not 0, where upstream reports none", async () => {
    const id = await call("/v1/chat/completions", { model: "openai/gpt-5", messages: HELLO });
    expect(await readRow(id)).toMatchObject({ cost: null, cost_source: "reported" });
  });

  it("is in the row of a call whose client disconnected", async () => {
    upstream.next({ model: "gpt-4o" }, { pieces: 400, frameGapMs: 20 });
    const cancel = new AbortController();
    const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...HEADERS },
      body: JSON.stringify({ model: "gpt-4o", messages: HELLO, stream: true }),
      signal: cancel.signal,
    });
    await response.body?.getReader().read();
    cancel.abort();
    const row = await readRow(response.headers.get("x-request-id") ?? "");
    expect(row).toMatchObject({ cost: COST, cost_source: "table" });
    expect(row.quota).toBeGreaterThan(0);
  });
});

describe("cost seen by users", () => {
  it("is in no response of the model API", async () => {
    for (const path of [
      "/v1/models",
      "/v1/models/gpt-4o",
      "/v1beta/models",
      "/dashboard/billing/usage",
      "/dashboard/billing/subscription",
    ])
      await call(path);
    expect(responses.length).toBeGreaterThan(10);
    expect(responses.filter((response) => findFigures(response).length > 0)).toEqual([]);
  });

  it("is in no route of the API that a user may read", async () => {
    const [tokens, channels] = await Promise.all([
      user.client.get<{ id: number }[]>("/api/token/", { p: 0, size: 10 }),
      testSite.root.get<{ id: number }[]>("/api/channel/", { page_size: 10 }),
    ]);
    const ids = [tokens[0]?.id, channels[0]?.id, user.id].map(String);
    const now = Math.floor(Date.now() / 1000);
    const query = { p: 1, page_size: 100, start_timestamp: now - 86_400, end_timestamp: now + 60, key, by: "channel" };
    const open = listReads().filter(({ access }) => access !== "admin");
    expect(open.length).toBeGreaterThan(40);
    const margins = (await readMargins()).filter((figure) => Math.abs(figure) > 100_000);
    expect(margins.length).toBeGreaterThan(5);
    for (const as of [user.client, world.visitor()]) {
      for (const { path } of open.filter((each) => !each.path.includes("logout"))) {
        const paths = path.includes(":") ? ids.map((id) => path.replace(/:\w+/g, id)) : [path];
        for (const each of paths) {
          const { text, status } = await as.call("GET", each, { query });
          expect({ each, status: status < 500 || status === 503 }).toEqual({ each, status: true });
          expect({ each, found: findFigures(text, margins) }).toEqual({ each, found: [] });
          expect({
            each,
            named: each !== DESCRIPTION && /"(cost|cost_source|margin|known_quota)":/.test(text),
          }).toEqual({
            each,
            named: false,
          });
        }
      }
    }
  });

  it("is refused to users where administrators read it", async () => {
    const routes = listReads().filter(({ access }) => access === "admin");
    for (const { path } of routes) {
      const { status } = await user.client.call("GET", path.replace(/:\w+/g, "1"));
      expect({ path, status }).toEqual({ path, status: 403 });
    }
    expect(await readMargins()).toContain(COST);
  });
});
