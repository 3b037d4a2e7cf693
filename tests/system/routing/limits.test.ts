import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), relayWorkers: 2 });
  testSite = await openTestSite(world, upstream.url);
  const { key } = await testSite.token();
  // Both relays know the channels.
  await testSite.eventually("service", 20_000, async () => getCount(await atOnce(8, key), 200) === 8 || undefined);
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

type Ended = { status: number; retryAfter: string | null; body: unknown };

/** A call on its own connection, so that both relays get some. */
async function call(key: string, { dialect = "openai", model = "gpt-4o" } = {}): Promise<Ended> {
  const isOpenai = dialect === "openai";
  const response = await fetch(`${world.relayUrl}${isOpenai ? "/v1/chat/completions" : "/v1/messages"}`, {
    method: "POST",
    headers: {
      connection: "close",
      "content-type": "application/json",
      ...(isOpenai ? {} : { "anthropic-version": "2023-06-01" }),
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({
      model,
      ...(isOpenai ? {} : { max_tokens: 20 }),
      messages: [{ role: "user", content: "hi" }],
    }),
  });
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body: await response.json() };
}
const atOnce = (count: number, key: string, model?: string): Promise<Ended[]> =>
  Promise.all(Array.from({ length: count }, () => call(key, model === undefined ? {} : { model })));
const getCount = (ended: readonly Ended[], status: number): number =>
  ended.filter((each) => each.status === status).length;
const setOption = (key: string, value: string) => testSite.root.put("/api/option/", { key, value });
const inForce = (): Promise<void> => new Promise((done) => setTimeout(done, 1_000));

describe("limits of a token over two relays", () => {
  it("admits exactly the set number of requests in a period, and reports when to retry", async () => {
    const { key } = await testSite.token({
      rate_limit_enabled: true,
      rate_limit_period: 60,
      rate_limit_count: 7,
      rate_limit_success: 0,
    });
    const ended = await atOnce(30, key);
    expect([getCount(ended, 200), getCount(ended, 429)]).toEqual([7, 23]);
    const refused = ended.find(({ status }) => status === 429);
    expect(Number(refused?.retryAfter)).toBeGreaterThan(0);
    expect(Number(refused?.retryAfter)).toBeLessThanOrEqual(60);
    expect(refused?.body).toMatchObject({ error: { code: "rate_limit_exceeded" } });
    expect(await call(key, { dialect: "anthropic" })).toMatchObject({
      status: 429,
      body: { type: "error", error: { type: "rate_limit_error" } },
    });
    const shares = await Promise.all(["relay", "relay-1"].map((name) => world.metrics(name)));
    expect(shares.every((text) => /turnpike_relay_requests_total\{[^}]*\} [1-9]/.test(text))).toBe(true);
  });

  it("reports what is left of its limits in the headers of the caller's provider, and none without limits", async () => {
    const limits = { rate_limit_enabled: true, rate_limit_period: 90, rate_limit_count: 3, rate_limit_success: 0 };
    const { key } = await testSite.token({ ...limits, tokens_per_minute: 1_000_000 });
    const read = async (dialect: "openai" | "anthropic", asKey = key): Promise<Record<string, string>> => {
      const response = await fetch(
        `${world.relayUrl}${dialect === "openai" ? "/v1/chat/completions" : "/v1/messages"}`,
        {
          method: "POST",
          headers: {
            authorization: `Bearer ${asKey}`,
            "content-type": "application/json",
            ...(dialect === "openai" ? {} : { "anthropic-version": "2023-06-01" }),
          },
          body: JSON.stringify({ model: "gpt-4o", max_tokens: 20, messages: [{ role: "user", content: "hi" }] }),
        },
      );
      await response.text();
      return Object.fromEntries([...response.headers].filter(([name]) => name.includes("ratelimit")));
    };
    expect(await read("openai")).toMatchObject({
      "x-ratelimit-limit-requests": "3",
      "x-ratelimit-remaining-requests": "2",
      "x-ratelimit-reset-requests": "1m30s",
      "x-ratelimit-limit-tokens": "1000000",
      "x-ratelimit-remaining-tokens": expect.stringMatching(/^9999\d\d$/),
      "x-ratelimit-reset-tokens": "1m0s",
    });
    const ofAnthropic = await read("anthropic");
    expect(ofAnthropic).toMatchObject({
      "anthropic-ratelimit-requests-limit": "3",
      "anthropic-ratelimit-requests-remaining": "1",
      "anthropic-ratelimit-tokens-limit": "1000000",
    });
    const reset = Date.parse(ofAnthropic["anthropic-ratelimit-requests-reset"] ?? "") - Date.now();
    expect(reset).toBeGreaterThan(60_000);
    expect(reset).toBeLessThanOrEqual(90_000);
    expect(await read("openai")).toMatchObject({ "x-ratelimit-remaining-requests": "0" });
    const refused = await read("openai");
    expect(refused).toMatchObject({ "x-ratelimit-limit-requests": "3", "x-ratelimit-remaining-requests": "0" });
    expect(refused).not.toHaveProperty("x-ratelimit-limit-tokens");
    expect(await read("openai", (await testSite.token()).key)).toEqual({});
  });

  it("admits exactly the set number of successful requests, however many are concurrent, and counts no failed ones", async () => {
    const { key } = await testSite.token({
      rate_limit_enabled: true,
      rate_limit_period: 60,
      rate_limit_count: 0,
      rate_limit_success: 5,
    });
    upstream.always({}, { refuse: { status: 400 } });
    for (let index = 0; index < 8; index++) expect((await call(key)).status).toBe(400);
    upstream.reset();
    upstream.always({}, { delayMs: 200 });
    const ended = await atOnce(30, key);
    expect([getCount(ended, 200), getCount(ended, 429)]).toEqual([5, 25]);
    expect((await call(key)).status).toBe(429);
  });

  it("admits exactly the set number of concurrent calls, streaming and not, and one more as soon as one ends", async () => {
    const { key } = await testSite.token({ concurrent_calls: 3 });
    upstream.always({}, { delayMs: 1_500 });
    const ended = await atOnce(20, key);
    expect([getCount(ended, 200), getCount(ended, 429)]).toEqual([3, 17]);
    expect(ended.find(({ status }) => status === 429)?.retryAfter).toBe("1");
    upstream.reset();
    for (let index = 0; index < 6; index++) expect((await call(key)).status).toBe(200);
    upstream.always({}, { refuse: { status: 400 } });
    for (let index = 0; index < 6; index++) expect((await call(key)).status).toBe(400);
  });

  it("releases the slots of a dead relay within seconds", async () => {
    const { key } = await testSite.token({ concurrent_calls: 1 });
    upstream.next({}, { delayMs: 20_000 });
    const lost = call(key).catch(() => undefined);
    await expect.poll(() => upstream.calls.length, { timeout: 5_000 }).toBe(1);
    expect((await call(key)).status).toBe(429);
    for (const name of ["relay", "relay-1"]) world.kill(name);
    await lost;
    await world.waitReady("relay", "relay-1");
    await expect
      .poll(async () => (await call(key).catch(() => undefined))?.status, { timeout: 28_000, interval: 1_000 })
      .toBe(200);
  }, 60_000);

  it("admits no more tokens per minute than set, except for the response that reaches the limit", async () => {
    upstream.always({}, { usage: { inputTokens: 10, outputTokens: 40 } });
    const model = "gpt-4o-mini";
    const { key } = await testSite.token({ tokens_per_minute: 300 });
    const ended = await atOnce(30, key, model);
    expect(getCount(ended, 200)).toBeGreaterThan(0);
    expect(getCount(ended, 200)).toBeLessThanOrEqual(6);
    for (let index = 0; index < 8; index++) ended.push(await call(key, { model }));
    expect(getCount(ended, 200)).toBeGreaterThanOrEqual(5);
    expect(getCount(ended, 200)).toBeLessThanOrEqual(6);
    const refused = ended.at(-1);
    expect(refused?.status).toBe(429);
    expect(Number(refused?.retryAfter)).toBeGreaterThan(40);
    expect(refused?.body).toMatchObject({ error: { message: expect.stringContaining("tokens per minute") } });
  });
});

describe("site limit on model requests", () => {
  it("counts each user's calls over all tokens, has separate values for groups, and skips the exempt group", async () => {
    await setOption("GroupRatio", JSON.stringify({ default: 1, vip: 1, "bulk-ok": 1 }));
    await setOption("UserUsableGroups", JSON.stringify({ default: "d", vip: "v", "bulk-ok": "b" }));
    const { id } = await testSite.root
      .get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 })
      .then((channels) => channels.find(({ name }) => name === "openai") ?? { id: 0 });
    await testSite.root.put("/api/channel/", { id, group: "default,vip,bulk-ok" });
    await setOption("ModelRequestRateLimitCount", "4");
    await setOption("ModelRequestRateLimitGroup", JSON.stringify({ vip: [9, 9] }));
    await setOption("global.rate_limit_exempt_enabled", "true");
    await setOption("ModelRequestRateLimitEnabled", "true");
    await inForce();
    const { client } = await testSite.createUser(100_000_000);
    const make = (fields: object) => testSite.token({ ...fields, remain_quota: 1_000_000 }, client);
    const [first, second] = [await make({}), await make({})];
    const plain = await Promise.all([atOnce(10, first.key), atOnce(10, second.key)]);
    expect(getCount(plain.flat(), 200)).toBe(4);
    const vip = await make({ group: "vip" });
    expect(getCount(await atOnce(20, vip.key), 200)).toBe(5);
    const bulk = await make({ group: "bulk-ok" });
    expect(getCount(await atOnce(20, bulk.key), 200)).toBe(20);
    await setOption("ModelRequestRateLimitEnabled", "false");
    await inForce();
    expect(getCount(await atOnce(10, first.key), 200)).toBe(10);
  });
});
