import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  // A price without tiers: the most that a call may cost is what it costs.
  const rules = { "gpt-4o": { input: 2.5, output: 10, cache_read: 1.25 } };
  await testSite.root.put("/api/option/", { key: "PriceRules", value: JSON.stringify(rules) });
  const { key } = await testSite.token({ unlimited_quota: true });
  await testSite.eventually("the price", 10_000, async () =>
    (await call(key, { service_tier: "priority" })).status === 400 ? true : undefined,
  );
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const call = (key: string, over: Record<string, unknown> = {}): Promise<Response> =>
  fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "gpt-4o",
      max_tokens: 50,
      messages: [{ role: "user", content: "Say something of fifty tokens." }],
      ...over,
    }),
  });

describe("small balance", () => {
  it("admits about as many of 200 concurrent calls as it covers, sends nothing upstream for the others, and is not overdrawn", async () => {
    const promptTokens = 14;
    upstream.always({}, { delayMs: 300, usage: { inputTokens: promptTokens, outputTokens: 50, cachedTokens: 0 } });
    const cost = Math.round((promptTokens + 50 * 4) * 1.25);
    const { id, client } = await testSite.createUser(20 * cost);
    const { key } = await testSite.token({ unlimited_quota: true }, client);
    upstream.calls.splice(0);
    const responses = await Promise.all(Array.from({ length: 200 }, () => call(key)));
    const served = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    expect(served.length + refused.length).toBe(200);
    expect(served.length).toBeGreaterThanOrEqual(15);
    expect(served.length).toBeLessThanOrEqual(22);
    for (const response of refused.slice(0, 5))
      expect(await response.json()).toMatchObject({ error: { code: "insufficient_user_quota" } });
    expect(upstream.calls).toHaveLength(served.length);
    await expect
      .poll(async () => (await testSite.root.get<{ quota: number }>(`/api/user/${id}`)).quota, { timeout: 5_000 })
      .toBe((20 - served.length) * cost);
    upstream.reset();
  });
});

describe("stream on an almost exhausted balance", () => {
  it("continues for as long as it is covered", async () => {
    // Its hold is for 500 tokens, (500 × 4 + prompt) × 1.25; the balance covers all 600 of the response, but not twice
    // as many.
    const { client } = await testSite.createUser(3_400);
    const { key } = await testSite.token({ unlimited_quota: true }, client);
    upstream.next({}, { text: "one ".repeat(600), usage: "missing", frameGapMs: 2 });
    const response = await call(key, { stream: true, max_tokens: undefined });
    expect(await response.text()).toMatch(/\[DONE\]\s*$/);
  });
});

describe("credits", () => {
  it("records an admin's quota change as one ledger entry that applies at once", async () => {
    const { id, client } = await testSite.createUser(0);
    const { key } = await testSite.token({ unlimited_quota: true }, client);
    expect((await call(key)).status).toBe(429);
    await testSite.root.put("/api/user/", {
      id,
      username: (await client.get<{ username: string }>("/api/user/self")).username,
      quota: 1_000_000,
    });
    await expect.poll(async () => (await call(key)).status, { timeout: 1_000 }).toBe(200);
    const { items } = await testSite.root.get<{ items: { amount: number; kind: string }[] }>("/api/ledger/", {
      user_id: id,
      p: 1,
      page_size: 10,
    });
    expect(items.filter(({ kind }) => kind === "admin")).toMatchObject([{ amount: 1_000_000 }]);
  });

  it("redeems a code once, however many attempts are concurrent", async () => {
    const [code = ""] = await testSite.root.post<string[]>("/api/redemption/", {
      name: "once",
      quota: 5_000,
      count: 1,
    });
    const { client } = await testSite.createUser(0);
    const before = await client.get<{ quota: number }>("/api/user/self");
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => client.call("POST", "/api/user/topup", { body: { key: code } })),
    );
    expect(responses.filter(({ success }) => success)).toHaveLength(1);
    expect((await client.get<{ quota: number }>("/api/user/self")).quota - before.quota).toBe(5_000);
  });
});

describe("empty response", () => {
  it("costs nothing", async () => {
    upstream.next({}, { text: "", usage: "zero" });
    const { key } = await testSite.token();
    const before = await testSite.self();
    expect((await call(key)).status).toBe(200);
    expect((await testSite.self()).quota).toBe(before.quota);
  });
});

describe("missing or implausible upstream usage", () => {
  const beyond = { inputTokens: 1e15, outputTokens: 1e15 };
  it.each([
    { stream: true, usage: "missing" as const },
    { stream: false, usage: "missing" as const },
    { stream: true, usage: beyond },
    { stream: false, usage: beyond },
  ])("is counted by the tokenizer and marked ($stream, $usage)", async ({ stream, usage }) => {
    upstream.next({}, { text: "hello world", usage });
    const { key } = await testSite.token();
    const response = await call(key, { stream });
    await response.text();
    const row = await testSite.readLogRow(response.headers.get("x-request-id") ?? "");
    expect(row.completion_tokens).toBe(2);
    expect(row.quota).toBeGreaterThan(0);
    expect(row.quota).toBeLessThan(1_000);
    expect(JSON.parse(row.other)).toMatchObject({ usage_estimated: true });
  });
});

describe("relay that shuts down gracefully", () => {
  it("finishes its calls and posts them at once", async () => {
    upstream.next({}, { pieces: 10, frameGapMs: 100 });
    const { key } = await testSite.token();
    const response = await call(key, { stream: true });
    const stopped = world.restart("relay");
    expect(await response.text()).toContain("[DONE]");
    const row = await testSite.readLogRow(response.headers.get("x-request-id") ?? "");
    expect(row.completion_tokens).toBe(10);
    await stopped;
  });
});

describe("final ledger state", () => {
  it("has matching ledger and credits, rollups and spending for every account", async () => {
    await ledgerCheck(world, { timeoutMs: 30_000 });
  });
});
