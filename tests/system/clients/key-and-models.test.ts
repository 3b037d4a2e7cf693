import { beforeAll, describe, expect, it } from "vitest";
import { inDollars } from "../../lib/charged-post.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Json = Record<string, unknown>;

const at = useTestSite();
let key: string;

const call = async (
  path: string,
  { asKey = key, method = "GET", body }: { asKey?: string; method?: string; body?: Json } = {},
) => {
  const response = await fetch(at.world.relayUrl + path, {
    method,
    headers: { authorization: `Bearer ${asKey}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === "" ? {} : JSON.parse(text)) as Json };
};
const chat = (path = "/v1/chat/completions") =>
  call(path, { method: "POST", body: { model: "gpt-4o", messages: [{ role: "user", content: "hi" }] } });

beforeAll(async () => {
  ({ key } = await at.testSite.token({ remain_quota: 5_000_000, name: "budget" }));
});

describe("key", () => {
  it.each(["/v1/key", "/v1/auth/key"])("reports its limit and usage in dollars: %s", async (path) => {
    const before = (await call(path)).body["data"] as Json;
    expect(before).toMatchObject({ label: "budget", limit: 10, limit_reset: null, expires_at: null });
    const { headers } = await chat();
    const cost = Number(headers.get("x-turnpike-cost"));
    const usage = Number(before["usage"]) + cost;
    await expect
      .poll(async () => Number(((await call(path)).body["data"] as Json)["usage"]).toFixed(9), { timeout: 10_000 })
      .toBe(usage.toFixed(9));
    const after = (await call(path)).body["data"] as Json;
    // All of it was used today, unless the day changed meanwhile.
    for (const period of ["daily", "weekly", "monthly"])
      expect(Number(after[`usage_${period}`]).toFixed(9)).toBe(usage.toFixed(9));
    const unlimited = await at.testSite.token({ unlimited_quota: true });
    expect(await call(path, { asKey: unlimited.key })).toMatchObject({
      body: { data: { limit: null, limit_remaining: null, usage_daily: 0, usage_weekly: 0, usage_monthly: 0 } },
    });
    expect((await call(path, { method: "POST", body: {} })).status).toBe(405);
    expect((await call(path, { asKey: "sk-none" })).status).toBe(401);
  });
});

describe("generation", () => {
  it("reports what a call cost by its request id or the id of its response, and only to its user", async () => {
    const { headers } = await chat();
    const id = headers.get("x-request-id") ?? "";
    const read = (name: string, asKey = key) => call(`/v1/generation?id=${name}`, { asKey });
    const found = await at.testSite.eventually("posting", 10_000, async () => {
      const reply = await read(id);
      return reply.status === 200 ? reply : undefined;
    });
    const { quota, prompt_tokens: prompt, completion_tokens: completion } = await at.testSite.readLogRow(id);
    expect(found.body["data"]).toMatchObject({
      id,
      model: "gpt-4o",
      total_cost: inDollars(quota),
      streamed: false,
      tokens_prompt: prompt,
      tokens_completion: completion,
    });
    expect((await read(`chatcmpl-${id}`)).status).toBe(200);
    const user = await at.testSite.createUser(1_000);
    expect((await read(id, (await at.testSite.token({}, user.client)).key)).status).toBe(404);
    expect((await call("/v1/generation")).status).toBe(400);
  });
});

describe("model list", () => {
  it("has lengths, modalities and the prices of the caller's group", async () => {
    const list = (await call("/v1/models")).body["data"] as Json[];
    expect(list.find(({ id }) => id === "gpt-4o")).toMatchObject({
      object: "model",
      context_length: 128_000,
      architecture: { input_modalities: ["text", "image", "file"], output_modalities: ["text"] },
      top_provider: { context_length: 128_000, max_completion_tokens: 16_384 },
      pricing: { prompt: "0.0000025", completion: "0.00001", input_cache_read: "0.00000125", request: "0" },
    });
    expect((await call("/v1/models/gpt-4o")).body).toMatchObject({ context_length: 128_000 });
  });
});

describe("other path", () => {
  it.each(["/chat/completions", "/v1beta/openai/chat/completions", "/hf/v1/chat/completions"])(
    "is served as the path with /v1: %s",
    async (path) => {
      expect(await chat(path)).toMatchObject({ status: 200, body: { object: "chat.completion" } });
      expect(await call(path, { method: "POST", body: {} })).toMatchObject({
        status: 400,
        body: { error: { code: expect.any(String) } },
      });
    },
  );

  it("is served without /v1 at the gateway too", async () => {
    const sent = { model: "gpt-4o", messages: [{ role: "user", content: "hi" }] };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const url = `${at.world.consoleUrl}/chat/completions`;
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(sent) });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ object: "chat.completion" }),
    ]);
  });

  it.each(["/", "/health"])("responds to a probe: %s", async (path) => {
    expect((await fetch(at.world.relayUrl + path, { method: "HEAD" })).status).toBe(200);
    expect(await call(path)).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it.each(["/nothing", "/v1/nothing", "/v1beta/openai/nothing"])("is not found: %s", async (path) => {
    expect((await call(path)).status).toBe(404);
  });
});
