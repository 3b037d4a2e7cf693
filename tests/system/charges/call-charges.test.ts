import { beforeAll, describe, expect, it } from "vitest";
import {
  type ChargedReply,
  createChargedPost,
  DIALECT_CALLS,
  inDollars,
  MESSAGES,
  readCharge,
} from "../../lib/charged-post.ts";
import { startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../../lib/settled.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Json = Record<string, unknown>;

const QUOTA_PER_DOLLAR = 500_000;
const at = useTestSite();
let post: ReturnType<typeof createChargedPost>;

beforeAll(async () => {
  post = createChargedPost((await at.testSite.token()).key);
});

const messages = MESSAGES;
const MODELS = ["gpt-4o", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"];

describe("ceiling of a charge", () => {
  const ceiling = (dollars: string): Record<string, string> => ({ "x-turnpike-max-cost": dollars });
  const bodies: Readonly<Record<string, Json>> = {
    "/v1/chat/completions": { messages },
    "/v1/messages": { messages, max_tokens: 5_000 },
    "/v1/responses": { input: "How much is it?" },
    "/v1/completions": { prompt: "How much is it?" },
  };
  const DOLLARS = "0.002";

  it.each(Object.keys(bodies))("ends a stream at the ceiling as one that is too long: %s", async (path) => {
    for (const model of MODELS) {
      at.upstream.next({}, { pieces: 3_000 });
      const reply = await post(at.world.relayUrl, path, { model, ...bodies[path], stream: true }, ceiling(DOLLARS));
      const { quota, other } = await at.testSite.readLogRow(String(reply.headers["x-request-id"]));
      expect({ model, text: reply.text }).toMatchObject({
        text: expect.stringMatching(/"finish_reason":"length"|"stop_reason":"max_tokens"|"reason":"max_output_tokens"/),
      });
      expect(quota).toBeGreaterThan(Number(DOLLARS) * QUOTA_PER_DOLLAR * 0.9);
      expect(quota).toBeLessThanOrEqual(Number(DOLLARS) * QUOTA_PER_DOLLAR);
      expect(reply.trailers["x-turnpike-cost"]).toBe(String(inDollars(quota)));
      expect(JSON.parse(other)).toMatchObject({ max_quota: Number(DOLLARS) * QUOTA_PER_DOLLAR });
    }
  });

  it("limits the length of a response, and its charge where upstream ignores the limit", async () => {
    at.upstream.next({}, { text: "much", usage: { inputTokens: 10, outputTokens: 100_000 } });
    const body = { model: "gpt-4o", messages, max_tokens: 90_000 };
    const reply = await post(at.world.relayUrl, "/v1/chat/completions", body, ceiling(DOLLARS));
    expect(reply.headers["x-turnpike-cost"]).toBe(DOLLARS);
    const sent = at.upstream.calls.at(-1)?.body as Json;
    expect(sent["max_tokens"]).toBeGreaterThan(100);
    expect(sent["max_tokens"]).toBeLessThan(250);
    expect((await at.testSite.readLogRow(String(reply.headers["x-request-id"]))).quota).toBe(1_000);
  });

  it.each([
    ["0.000002", 400, "max_cost_exceeded"],
    ["0", 400, "max_cost_exceeded"],
    ["much", 400, "invalid_request"],
    ["-1", 400, "invalid_request"],
  ])("refuses a call: %s", async (dollars, status, code) => {
    const before = at.upstream.calls.length;
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "long ".repeat(2_000) }] };
    const reply = await post(at.world.relayUrl, "/v1/chat/completions", body, ceiling(dollars));
    const error = { code, param: "x-turnpike-max-cost" };
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([status, { error }]);
    expect(reply.text).toContain("x-turnpike-max-cost: ");
    expect(at.upstream.calls).toHaveLength(before);
  });
});

describe("model and attempts of a call", () => {
  const call = (stream: boolean, model: string) =>
    Promise.all(
      DIALECT_CALLS.map(([path, body]) => post(at.world.relayUrl, path(model, stream), { model, ...body(stream) })),
    );
  const listRoutes = (replies: readonly ChargedReply[]): unknown[] =>
    replies.map(({ status, headers }) => [status, headers["x-turnpike-model"], headers["x-turnpike-attempts"]]);

  it.each([false, true])("are on every response, also without another model, streamed: %s", async (stream) => {
    for (const model of MODELS)
      expect(listRoutes(await call(stream, model))).toEqual(DIALECT_CALLS.map(() => [200, model, "1"]));
    const body = { model: "gpt-4o", prompt: "How much is it?", stream };
    expect(listRoutes([await post(at.world.relayUrl, "/v1/completions", body)])).toEqual([[200, "gpt-4o", "1"]]);
  });

  it.each([false, true])("count the channels that failed, streamed: %s", async (stream) => {
    const model = `two-channels-${stream}`;
    const failing = await startFakeUpstream();
    failing.always({}, { refuse: { status: 503 } });
    const channel = { type: 1, key: "k", models: model, group: "default" };
    const { root } = at.testSite;
    await root.post("/api/channel/", { ...channel, name: "second", base_url: at.upstream.url });
    await root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify({ [model]: 0.01 }) });
    await at.testSite.eventually("routing", 20_000, async () =>
      (await call(stream, model)).every(({ status }) => status === 200) ? true : undefined,
    );
    await root.post("/api/channel/", { ...channel, name: "first", base_url: failing.url, priority: 10 });
    await at.testSite.eventually("the failover", 20_000, async () => {
      const [path, body] = DIALECT_CALLS[0] ?? [];
      if (!path || !body) return undefined;
      const reply = await post(at.world.relayUrl, path(model, stream), { model, ...body(stream) });
      return listRoutes([reply]).toString() === `200,${model},2` || undefined;
    });
    await failing.stop();
  });
});

describe("charge of a call", () => {
  it("is reported by header or trailer as the log row has it, in every dialect, streamed or not", async () => {
    // Calls of earlier tests are posted a moment after their end.
    await expect.poll(() => isSettled(at.world), { timeout: 10_000 }).toBe(true);
    const before = (await at.testSite.self()).used_quota;
    const charged: ChargedReply[] = [];
    for (const model of MODELS)
      for (const [path, body] of DIALECT_CALLS)
        for (const stream of [false, true])
          for (const base of [at.world.relayUrl, at.world.consoleUrl]) {
            const text = "word ".repeat(1 + charged.length);
            at.upstream.next(
              {},
              { text, usage: { inputTokens: 1_000 + charged.length, outputTokens: 100 + charged.length } },
            );
            const reply = await post(base, path(model, stream), { model, ...body(stream) });
            expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
            expect(stream ? reply.headers["x-turnpike-cost"] : reply.trailers["x-turnpike-cost"]).toBeUndefined();
            charged.push(reply);
          }
    const rows = await Promise.all(
      charged.map(({ headers }) => at.testSite.readLogRow(String(headers["x-request-id"]))),
    );
    expect(charged.map(readCharge)).toEqual(rows.map(({ quota }) => String(inDollars(quota))));
    expect(rows.every(({ quota }) => quota > 0)).toBe(true);
    const sum = rows.reduce((total, { quota }) => total + quota, 0);
    await expect.poll(async () => (await at.testSite.self()).used_quota - before, { timeout: 10_000 }).toBe(sum);
  });

  it("is not reported by a call that failed", async () => {
    at.upstream.always({}, { refuse: { status: 400 } });
    const reply = await post(at.world.relayUrl, "/v1/chat/completions", { model: "gpt-4o", messages });
    expect(reply.status).toBe(400);
    expect(readCharge(reply)).toBeUndefined();
  });

  it.each([false, true])("is in the usage if usage: {include: true} requests it, streamed: %s", async (stream) => {
    for (const model of MODELS) {
      const body = { model, messages, stream, usage: { include: true } };
      const reply = await post(at.world.relayUrl, "/v1/chat/completions", body);
      const { quota } = await at.testSite.readLogRow(String(reply.headers["x-request-id"]));
      const events = stream ? [...reply.text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => data) : [reply.text];
      const costs = events.map((data) => (JSON.parse(data ?? "") as { usage?: { cost?: number } }).usage?.cost);
      expect(costs.filter((cost) => cost !== undefined)).toEqual([inDollars(quota)]);
      expect(at.upstream.calls.at(-1)?.body).not.toHaveProperty("usage");
    }
  });

  it.each([false, true])(
    "is in the usage that upstream does not report, if requested, streamed: %s",
    async (stream) => {
      for (const [path, prompt] of [
        ["/v1/chat/completions", { messages }],
        ["/v1/completions", { prompt: "How much is it?" }],
      ] as const) {
        at.upstream.next({}, { text: "word ".repeat(40), usage: "missing" });
        const body = { model: "gpt-4o", ...prompt, stream, usage: { include: true } };
        const reply = await post(at.world.relayUrl, path, body);
        const row = await at.testSite.readLogRow(String(reply.headers["x-request-id"]));
        const usage = [...reply.text.matchAll(/"usage":(\{[^{}]*\})/g)].map(
          ([, text]) => JSON.parse(text ?? "") as Json,
        );
        expect({ path, usage }).toMatchObject({
          usage: [
            { prompt_tokens: row.prompt_tokens, completion_tokens: row.completion_tokens, cost: inDollars(row.quota) },
          ],
        });
      }
    },
  );

  it("is in every usage and under LiteLLM's names where the site's options enable it", async () => {
    for (const name of ["UsageCostEnabled", "LiteLLMHeadersEnabled"])
      await at.testSite.root.put("/api/option/", { key: name, value: "true" });
    try {
      const reply = await at.testSite.eventually("the options", 10_000, async () => {
        const body = { model: "claude-3-5-sonnet-20241022", messages, max_tokens: 50 };
        const sent = await post(at.world.relayUrl, "/v1/messages", body, { "anthropic-version": "2023-06-01" });
        // Set when a call begins, unlike its cost: the options changed before it.
        return sent.headers["x-litellm-call-id"] === undefined ? undefined : sent;
      });
      const { quota } = await at.testSite.readLogRow(String(reply.headers["x-request-id"]));
      expect(reply.headers).toMatchObject({
        "x-litellm-response-cost": String(inDollars(quota)),
        "x-litellm-call-id": reply.headers["x-request-id"],
        "x-litellm-model-group": "claude-3-5-sonnet-20241022",
      });
      expect(JSON.parse(reply.text)).toMatchObject({ usage: { cost: inDollars(quota) } });
    } finally {
      for (const name of ["UsageCostEnabled", "LiteLLMHeadersEnabled"])
        await at.testSite.root.put("/api/option/", { key: name, value: "false" });
    }
  });
});
