import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { getRowQuota } from "../../lib/row-quota.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

/** gpt-4o: ratio 1.25, completion 4. */
const USAGE = { inputTokens: 100, outputTokens: 50 };
const PRICE = 375;
const HIT_PRICE = 38;

const setOption = (key: string, value: string) => testSite.root.put("/api/option/", { key, value });
const inForce = (): Promise<void> => new Promise((done) => setTimeout(done, 1_000));
const setSetting = async (setting: object): Promise<void> => {
  await testSite.root.put("/api/channel/", { id: testSite.channelIds["openai"], setting: JSON.stringify(setting) });
  await inForce();
};

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  await inForce();
}, 120_000);
beforeEach(() => {
  upstream.reset();
  upstream.always({}, { usage: USAGE });
});
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

type CachedResponse = { status: number; isHit: boolean; text: string; type: string | null; requestId: string };

async function request(
  key: string,
  body: Record<string, unknown>,
  path = "/v1/chat/completions",
): Promise<CachedResponse> {
  const response = await fetch(world.relayUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", temperature: 0, ...body }),
  });
  return {
    status: response.status,
    isHit: response.headers.get("x-turnpike-cache") === "hit",
    type: response.headers.get("content-type"),
    text: await response.text(),
    requestId: response.headers.get("x-request-id") ?? "",
  };
}
const withPrompt = (content: string) => ({ messages: [{ role: "user", content }] });
const getOther = (row: LogRow) => JSON.parse(row.other) as Record<string, unknown>;

/** Sends a call, waits until its response may have been cached, and sends it again. */
async function twice(
  key: string,
  body: Record<string, unknown>,
  path?: string,
): Promise<[CachedResponse, CachedResponse]> {
  const first = await request(key, body, path);
  await new Promise((done) => setTimeout(done, 100));
  return [first, await request(key, body, path)];
}

describe("response cache", () => {
  it("is off until the site and the channel enable it", async () => {
    const { key } = await testSite.token();
    expect((await twice(key, withPrompt("off")))[1].isHit).toBe(false);
    await setSetting({ response_cache: true });
    expect((await twice(key, withPrompt("still off")))[1].isHit).toBe(false);
    await setOption("ResponseCacheEnabled", "true");
    await setSetting({});
    expect((await twice(key, withPrompt("not this channel")))[1].isHit).toBe(false);
    await setSetting({ response_cache: true });
  });

  it.each([
    ["a non-streaming response", {}, "/v1/chat/completions"],
    ["a stream", { stream: true }, "/v1/chat/completions"],
    ["a stream with its usage", { stream: true, stream_options: { include_usage: true } }, "/v1/chat/completions"],
    ["a non-streaming response to Anthropic clients", { max_tokens: 100 }, "/v1/messages"],
    ["a stream to Anthropic clients", { max_tokens: 100, stream: true }, "/v1/messages"],
  ])(
    "serves %s again byte by byte, for its share of the price, with one log row per call",
    async (name, extra, path) => {
      const { key } = await testSite.token();
      const [first, second] = await twice(key, { ...withPrompt(name), ...extra }, path);
      expect([first.status, first.isHit, second.status, second.isHit]).toEqual([200, false, 200, true]);
      expect([second.text, second.type]).toEqual([first.text, first.type]);
      expect(second.requestId).not.toBe(first.requestId);
      expect(upstream.calls).toHaveLength(1);
      const [paid, hit] = [await testSite.readLogRow(first.requestId), await testSite.readLogRow(second.requestId)];
      expect([paid.quota, hit.quota]).toEqual([PRICE, HIT_PRICE]);
      expect(hit).toMatchObject({ channel: 0, prompt_tokens: 100, completion_tokens: 50 });
      expect(getOther(hit)).toMatchObject({ response_cache: true, response_cache_ratio: 0.1 });
      expect(getRowQuota(hit)).toBe(hit.quota);
      expect(getOther(paid)).not.toHaveProperty("response_cache");
    },
  );

  it.each([
    ["another temperature", { temperature: 0.5 }],
    ["no temperature", { temperature: undefined }],
  ])("does not cache calls with %s", async (name, extra) => {
    const { key } = await testSite.token();
    expect((await twice(key, { ...withPrompt(name), ...extra }))[1].isHit).toBe(false);
    expect(upstream.calls).toHaveLength(2);
  });

  it("distinguishes calls by every byte, and never serves one user's response to another", async () => {
    const { key } = await testSite.token();
    const { client } = await testSite.createUser(10_000_000);
    const stranger = await testSite.token({ remain_quota: 1_000_000 }, client);
    const sibling = await testSite.token();
    await twice(key, withPrompt("mine"));
    expect((await request(key, withPrompt("mine "))).isHit).toBe(false);
    expect((await request(key, { ...withPrompt("mine"), seed: 1 })).isHit).toBe(false);
    expect((await request(stranger.key, withPrompt("mine"))).isHit).toBe(false);
    expect((await request(`${key}-${testSite.channelIds["openai"]}`, withPrompt("mine"))).isHit).toBe(false);
    expect((await request(sibling.key, withPrompt("mine"))).isHit).toBe(true);
  });

  it("stores no refusal, no cut stream and nothing large", async () => {
    const { key } = await testSite.token();
    upstream.next({}, { refuse: { status: 400 } });
    expect((await twice(key, withPrompt("refused"))).map(({ status, isHit }) => [status, isHit])).toEqual([
      [400, false],
      [200, false],
    ]);
    upstream.next({}, { pieces: 60, cutAfterFrames: 40 });
    const [cut, whole] = await twice(key, { ...withPrompt("cut"), stream: true });
    expect(cut.text).not.toContain("[DONE]");
    expect([whole.isHit, whole.text.includes("[DONE]")]).toEqual([false, true]);
    upstream.always({}, { text: "x".repeat(300_000) });
    expect((await twice(key, withPrompt("large")))[1].isHit).toBe(false);
  });

  it("counts hits against limits and balances like any call", async () => {
    const { key } = await testSite.token({ rate_limit_enabled: true, rate_limit_count: 3, rate_limit_success: 0 });
    await twice(key, withPrompt("limited"));
    expect((await request(key, withPrompt("limited"))).isHit).toBe(true);
    expect((await request(key, withPrompt("limited"))).status).toBe(429);
    const poor = await testSite.token({ remain_quota: 20 });
    expect((await request(poor.key, withPrompt("limited"))).status).toBe(429);
  });

  it("can be enabled for a token", async () => {
    await setSetting({});
    const { key } = await testSite.token({ response_cache: true });
    expect((await twice(key, withPrompt("by token")))[1].isHit).toBe(true);
    const other = await testSite.token();
    expect((await request(other.key, withPrompt("by token"))).isHit).toBe(false);
  });
});
