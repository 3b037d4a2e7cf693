import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let key: string;

/** Forwards plain calls, and records their targets. */
const proxied: string[] = [];
let proxy: Server;
const proxyAddress = (): string => `http://ann:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const inForce = (): Promise<void> => new Promise((done) => setTimeout(done, 1_000));
const setOption = (option: string, value: string) => testSite.root.put("/api/option/", { key: option, value });
const makeChannel = async (fields: Record<string, unknown>): Promise<number> => {
  await testSite.root.post("/api/channel/", { type: 1, base_url: upstream.url, group: "default", ...fields });
  const all = await testSite.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
  return all.find(({ name }) => name === fields["name"])?.id ?? 0;
};

beforeAll(async () => {
  proxy = createServer((request, response) => {
    const url = new URL(request.url ?? "");
    proxied.push(`${request.method} ${url.pathname}`);
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { authorization = "", "content-type": type = "" } = request.headers;
      const body = parts.length === 0 ? undefined : Buffer.concat(parts);
      void fetch(url, {
        method: request.method ?? "GET",
        headers: { authorization, "content-type": type },
        ...(body === undefined ? {} : { body }),
      }).then(async (result) => {
        response.writeHead(result.status, { "content-type": result.headers.get("content-type") ?? "" });
        response.end(Buffer.from(await result.arrayBuffer()));
      });
    });
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  for (const [option, value] of [
    ["fallback_input_ratio", "1"],
    ["fallback_completion_ratio", "1"],
    ["fallback_pricing_enabled", "true"],
  ] as const)
    await setOption(option, value);
  ({ key } = await testSite.token());
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
  proxy?.closeAllConnections();
  proxy?.close();
});

async function send(body: Record<string, unknown>, withKey = key) {
  const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${withKey}`, "content-type": "application/json" },
    body: JSON.stringify({ messages: [{ role: "user", content: "hi" }], ...body }),
  });
  const text = await response.text();
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, retryAfter, text, json: () => JSON.parse(text) as Record<string, never> };
}
const conversation = (name: string, turns: number) =>
  Array.from({ length: turns * 2 + 1 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${name} ${index}`,
  }));

describe("session affinity", () => {
  it("keeps a conversation on one channel and key if enabled, spreads conversations over all, and moves them on failure", async () => {
    const models = "sticky";
    for (const name of ["s1", "s2", "s3"]) await makeChannel({ name, models, key: `${name}-a\n${name}-b` });
    await setOption("StickyRoutingEnabled", "true");
    await inForce();
    const homes = new Map<string, string>();
    for (let turn = 0; turn < 3; turn++)
      for (let index = 0; index < 30; index++) {
        expect((await send({ model: models, messages: conversation(`c${index}`, turn) })).status).toBe(200);
        const home = upstream.calls.at(-1)?.key ?? "";
        expect(homes.get(`c${index}`) ?? home).toBe(home);
        homes.set(`c${index}`, home);
      }
    expect(new Set(homes.values()).size).toBeGreaterThanOrEqual(4);
    const dead = homes.get("c0") ?? "";
    upstream.always({ key: dead }, { refuse: { status: 500 } });
    for (const name of homes.keys())
      expect((await send({ model: models, messages: conversation(name, 4) })).status).toBe(200);
    expect(upstream.calls.filter((call) => call.outcome === "served").at(-1)?.key).not.toBe(dead);
    await setOption("StickyRoutingEnabled", "false");
  });
});

describe("choice by latency", () => {
  it("sends most calls to the faster channel", async () => {
    const models = "lately";
    for (const name of ["slow", "fast"]) await makeChannel({ name, models, key: name });
    upstream.always({ key: "slow" }, { delayMs: 200 });
    await setOption("LatencyRoutingEnabled", "true");
    await inForce();
    for (let index = 0; index < 40; index++) expect((await send({ model: models })).status).toBe(200);
    // Chance alone would send it 20; a busy machine makes the faster one slower, too.
    expect(upstream.calls.filter((call) => call.key === "fast").length).toBeGreaterThan(26);
    await setOption("LatencyRoutingEnabled", "false");
  });
});

describe("channel settings", () => {
  it("pins the channel given after the key for admins only, whatever its priority, without failover", async () => {
    const id = await makeChannel({ name: "pinned", models: "pinned-model", key: "pin", priority: -5 });
    await makeChannel({ name: "usual", models: "pinned-model", key: "usual", priority: 5 });
    await inForce();
    for (let index = 0; index < 5; index++)
      expect((await send({ model: "pinned-model" }, `${key}-${id}`)).status).toBe(200);
    expect(new Set(upstream.calls.map((call) => call.key))).toEqual(new Set(["pin"]));
    upstream.always({ key: "pin" }, { refuse: { status: 500 } });
    expect((await send({ model: "pinned-model" }, `${key}-${id}`)).status).toBe(500);
    const { client } = await testSite.createUser(1_000_000);
    const user = await testSite.token({ remain_quota: 100_000 }, client);
    expect((await send({ model: "pinned-model" }, `${user.key}-${id}`)).status).toBe(403);
    await testSite.root.put("/api/channel/", { id, status: 2 });
    await inForce();
    const refused = await send({ model: "pinned-model" }, `${key}-${id}`);
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("is not in use")]);
  });

  it("reads to the end after the caller disconnects, and charges it, if enabled, before the first byte as well", async () => {
    await makeChannel({ name: "d", models: "drained", key: "d", setting: '{"on_client_disconnect":"drain"}' });
    await makeChannel({ name: "c", models: "cancelled", key: "c" });
    await inForce();
    const usage = { inputTokens: 11, outputTokens: 7 };
    upstream.always({}, { pieces: 5, delayMs: 1_000, usage });
    const requestAndDisconnect = async (model: string, stream: boolean): Promise<void> => {
      const callsBefore = upstream.calls.length;
      const caller = new AbortController();
      const requested = fetch(`${world.relayUrl}/v1/chat/completions`, {
        method: "POST",
        signal: caller.signal,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "hi" }] }),
      });
      await expect.poll(() => upstream.calls.length).toBe(callsBefore + 1);
      caller.abort();
      await expect(requested).rejects.toThrow("aborted");
    };
    for (const model of ["drained", "cancelled"])
      for (const stream of [true, false]) await requestAndDisconnect(model, stream);
    await expect
      .poll(() => upstream.calls.map(({ outcome }) => outcome), { timeout: 5_000 })
      .toEqual(["served", "served", "client-disconnected", "client-disconnected"]);
    const getRows = async (model: string) => (await testSite.logs({ model_name: model, type: 2 })).items;
    await expect
      .poll(async () => (await getRows("drained")).map(({ quota }) => quota), { timeout: 5_000 })
      .toEqual([18, 18]);
    // Upstream had the request: a call that is not read to its end costs the prompt.
    await expect
      .poll(async () => (await getRows("cancelled")).map(({ completion_tokens: tokens }) => tokens), { timeout: 5_000 })
      .toEqual([0, 0]);
    const cancelled = await getRows("cancelled");
    expect(cancelled.every(({ prompt_tokens: tokens, quota }) => tokens > 0 && quota >= tokens)).toBe(true);
  });

  it("hides upstream's error texts from callers, in responses and in streams, if the option is set", async () => {
    await makeChannel({ name: "h", models: "hidden", key: "h" });
    await setOption("global.hide_upstream_error_enabled", "true");
    await inForce();
    const message = "Rate limit reached in organization org-secret";
    const headers = { "retry-after": "7" };
    for (const status of [400, 429, 503])
      for (const stream of [true, false]) {
        upstream.next({}, { refuse: { status, message, headers } });
        const refused = await send({ model: "hidden", stream });
        expect([refused.status, refused.retryAfter]).toEqual([status, "7"]);
        expect(refused.text).not.toContain("org-secret");
        expect(refused.text).toContain(status === 429 ? "saturated" : `status ${status}`);
      }
    upstream.next({}, { pieces: 20, errorAfterFrames: 5 });
    const { text } = await send({ model: "hidden", stream: true });
    expect(text).toContain('data: {"error":');
    expect(text).not.toContain("The server had an error");
    await setOption("global.hide_upstream_error_enabled", "false");
  });

  it("applies the proxy to calls, tests and model lists, without its password in the audit log", async () => {
    const setting = JSON.stringify({ proxy: proxyAddress() });
    const id = await makeChannel({ name: "proxied", models: "proxied-model", key: "p", setting });
    await inForce();
    expect((await send({ model: "proxied-model" })).status).toBe(200);
    expect((await send({ model: "proxied-model", stream: true })).text).toContain("[DONE]");
    await testSite.root.call("GET", `/api/channel/test/${id}`);
    await testSite.root.get(`/api/channel/fetch_models/${id}`);
    expect(proxied).toEqual([...Array.from({ length: 3 }, () => "POST /v1/chat/completions"), "GET /v1/models"]);
    const audit = JSON.stringify(await testSite.root.get("/api/audit/", { p: 1, page_size: 100 }));
    expect(audit).toContain("proxied");
    expect(audit).not.toContain("ann:secret");
    const wrong = await testSite.root.call("PUT", "/api/channel/", {
      body: { id, setting: JSON.stringify({ proxy: "nonsense" }) },
    });
    expect(wrong).toMatchObject({ success: false, code: "channel_mapping_invalid" });
  });

  it("returns reasoning as text, and rewrites responses, if enabled", async () => {
    upstream.always({}, { reasoning: "let me see", text: "Done." });
    await makeChannel({ name: "t", models: "thinks", key: "t", setting: '{"thinking_to_content":true}' });
    await makeChannel({ name: "f", models: "forced", key: "f", setting: '{"force_format":true}' });
    await makeChannel({ name: "n", models: "plain", key: "n" });
    await inForce();
    const getMessage = async (model: string) =>
      ((await send({ model })).json() as { choices?: { message: Record<string, string> }[] }).choices?.[0]?.message;
    expect(await getMessage("plain")).toMatchObject({ content: "Done.", reasoning_content: "let me see" });
    const reported = await getMessage("thinks");
    expect(reported?.["content"]).toMatch(/^<think>\nlet me see\n<\/think>\n+Done\.$/);
    expect(reported).not.toHaveProperty("reasoning_content");
    const stream = await send({ model: "thinks", stream: true });
    expect(stream.text).not.toContain("reasoning_content");
    const words = [...stream.text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) => word).join("");
    expect(words).toBe(String.raw`<think>\nlet me see\n</think>\nDone.`);
    expect((await send({ model: "forced" })).text).not.toContain('"id":"fake');
    expect((await send({ model: "forced", stream: true })).text).toContain("[DONE]");
  });

  it("makes streams of non-streaming responses if upstream cannot stream, with comments meanwhile", async () => {
    const setting = '{"stream_support":"NON_STREAM_ONLY"}';
    await makeChannel({ name: "w", models: "never-streams", key: "w", setting, priority: 9 });
    await makeChannel({ name: "s", models: "never-streams", key: "s" });
    await inForce();
    upstream.next({}, { text: "Done.", delayMs: 5_500 });
    const options = { stream: true, stream_options: { include_usage: true } };
    const { status, text } = await send({ model: "never-streams", ...options });
    expect(upstream.calls.at(-1)?.body).toEqual({
      model: "never-streams",
      messages: [{ role: "user", content: "hi" }],
    });
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(
        /^: WAITING FOR UPSTREAM\n\n[^:][^]*"content":"Done\."[^]*"usage":\{"prompt_tokens":[^]*data: \[DONE\]\n\n$/,
      ),
    ]);
    upstream.reset();
    // Comments sent while waiting prevent neither a failover to another channel nor the report of a failure.
    upstream.next({}, { refuse: { status: 503 }, delayMs: 5_500 });
    expect((await send({ model: "never-streams", ...options })).text).toMatch(/^: WAITING[^]*\[DONE\]\n\n$/);
    upstream.always({}, { refuse: { status: 400 }, delayMs: 5_500 });
    expect((await send({ model: "never-streams", ...options })).text).toMatch(/^: WAITING[^]*data: \{"error":[^]*$/);
  }, 60_000);

  it("applies prefix, mapping, overrides, organization and status codes", async () => {
    await makeChannel({
      name: "own",
      models: "gpt-own",
      key: "own",
      model_prefix: "az/",
      model_mapping: '{"gpt-own":"gpt-4o-real"}',
      param_override: '{"temperature":0.25,"extra":{"a":1}}',
      openai_organization: "org-7",
      status_code_mapping: '{"400":"500"}',
    });
    await inForce();
    expect((await send({ model: "gpt-own" })).status).toBe(404);
    expect((await send({ model: "az/gpt-own", unknown_field: [1] })).status).toBe(200);
    const call = upstream.calls.at(-1);
    expect(call?.body).toMatchObject({ model: "gpt-4o-real", temperature: 0.25, extra: { a: 1 }, unknown_field: [1] });
    expect(call?.headers["openai-organization"]).toBe("org-7");
    upstream.next({}, { refuse: { status: 400 } });
    expect((await send({ model: "az/gpt-own" })).status).toBe(500);
  });
});

describe("cheapest channel first", () => {
  it("gets all calls of the option's groups, and the next cheapest while it is off", async () => {
    const model = "gpt-4.1-mini";
    const place = { models: model, key: "k" };
    const dear = await makeChannel({ ...place, name: "dear", weight: 1_000, key: "dear-key" });
    const cheap = await makeChannel({
      ...place,
      name: "cheap",
      key: "cheap-key",
      cost: JSON.stringify({ source: "catalogue", factor: 0.5 }),
    });
    const collectKeys = async (count: number): Promise<Set<string>> => {
      upstream.reset();
      for (let call = 0; call < count; call++) expect((await send({ model })).status).toBe(200);
      return new Set(upstream.calls.map(({ key: sent = "" }) => sent));
    };
    await inForce();
    expect(await collectKeys(10)).toContain("dear-key");
    await setOption("CheapestChannelGroups", "default");
    await inForce();
    expect(await collectKeys(10)).toEqual(new Set(["cheap-key"]));
    await testSite.root.put("/api/channel/", { id: cheap, status: 2 });
    await inForce();
    expect(await collectKeys(3)).toEqual(new Set(["dear-key"]));
    await setOption("CheapestChannelGroups", "");
    expect(dear).toBeGreaterThan(0);
  });
});
