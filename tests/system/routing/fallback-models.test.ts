import { beforeAll, describe, expect, it } from "vitest";
import { startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import type { Scenario } from "../../lib/fake-upstream/scenario.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Reply = { readonly status: number; readonly text: string; readonly headers: Headers };
type Json = Record<string, unknown>;

/** One model of each kind of upstream that serves, and models that fail for each cause. */
const GOOD = { openai: "good-openai", claude: "claude-good", gemini: "gemini-good" } as const;
const BAD: Readonly<Record<string, Scenario>> = {
  unavailable: { refuse: { status: 503 } },
  rate_limit: { refuse: { status: 429 } },
  timeout: { neverRespond: true },
  context_length: { refuse: { status: 400, code: "context_length_exceeded", message: "too long" } },
  content_filter: { refuse: { status: 400, code: "content_filter", message: "filtered" } },
};
const badModel = (cause: string): string => `bad-${cause}`;
/** Fails, too; called once only, so that its breaker is closed. */
const FRESH = "bad-fresh";
const CAUSES = Object.keys(BAD);
const MESSAGES = [{ role: "user", content: "Hello." }];

const at = useTestSite({ env: { FIRST_BYTE_TIMEOUT: "1", RESPONSE_TIMEOUT_SECONDS: "1" } });
let key: string;

async function post(path: string, body: Json, headers: Record<string, string> = {}, asKey = key): Promise<Reply> {
  const response = await fetch(at.world.relayUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${asKey}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
}
const chat = (body: Json, headers: Record<string, string> = {}) =>
  post("/v1/chat/completions", { messages: MESSAGES, ...body }, headers);
const setOption = (name: string, value: unknown) =>
  at.testSite.root.put("/api/option/", { key: name, value: JSON.stringify(value) });
const requestId = ({ headers }: Reply): string => headers.get("x-request-id") ?? "";
const readOther = async (reply: Reply): Promise<Json> =>
  JSON.parse((await at.testSite.readLogRow(requestId(reply))).other) as Json;

/** Each failing model has a channel of its own, so that the breaker of one does not hide another. */
async function addChannel(type: number, models: string, url: string): Promise<void> {
  await at.testSite.root.post("/api/channel/", {
    type,
    name: models,
    key: "k",
    base_url: url,
    models,
    group: "default",
  });
}

beforeAll(async () => {
  const bad = await startFakeUpstream();
  for (const [cause, scenario] of Object.entries(BAD)) {
    bad.always({ model: badModel(cause) }, scenario);
    await addChannel(1, badModel(cause), bad.url);
  }
  bad.always({ model: FRESH }, { refuse: { status: 503 } });
  await addChannel(1, FRESH, bad.url);
  await addChannel(1, GOOD.openai, at.upstream.url);
  await addChannel(14, GOOD.claude, at.upstream.url);
  await addChannel(24, GOOD.gemini, at.upstream.url);
  for (const option of ["fallback_input_ratio", "fallback_completion_ratio"])
    await at.testSite.root.put("/api/option/", { key: option, value: "1" });
  await at.testSite.root.put("/api/option/", { key: "fallback_pricing_enabled", value: "true" });
  await setOption("RetryTimes", 0);
  await setOption("FallbackCauses", [...CAUSES, "budget"]);
  ({ key } = await at.testSite.token());
  await at.testSite.eventually("routing", 20_000, async () => {
    const replies = await Promise.all(Object.values(GOOD).map((model) => chat({ model })));
    return replies.every(({ status }) => status === 200) || undefined;
  });
});

describe("model after one that fails", () => {
  it.each(CAUSES.flatMap((cause) => [false, true].map((stream) => [cause, stream] as const)))(
    "serves and is charged after %s, streamed: %s",
    async (cause, stream) => {
      const reply = await chat({ model: badModel(cause), models: [badModel(cause), GOOD.openai], stream });
      expect(reply.status).toBe(200);
      expect(reply.text).toContain(`Hello`);
      expect(reply.headers.get("x-turnpike-model")).toBe(GOOD.openai);
      expect(reply.headers.get("x-turnpike-attempts")).toBe("2");
      expect(at.upstream.calls.at(-1)?.body).not.toHaveProperty("models");
      const row = await at.testSite.readLogRow(requestId(reply));
      expect(row).toMatchObject({ model_name: GOOD.openai, is_stream: stream });
      expect(JSON.parse(row.other)).toMatchObject({ requested_model: badModel(cause), attempts: 2 });
    },
  );

  it.each(Object.values(GOOD))("may have another format: %s, for callers of each dialect", async (model) => {
    const failing = badModel("unavailable");
    const replies = await Promise.all([
      chat({ model: failing, models: [model] }),
      post("/v1/responses", { model: failing, input: "Hello.", models: [model] }),
      post("/v1/completions", { model: failing, prompt: "Hello.", models: [model] }),
      post("/v1/messages", { model: failing, max_tokens: 50, messages: MESSAGES, fallbacks: [{ model }] }),
      post(
        `/v1beta/models/${failing}:generateContent`,
        { contents: [{ parts: [{ text: "Hello." }] }] },
        { "x-turnpike-fallbacks": ` ${model} ` },
      ),
    ]);
    expect(replies.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual([200, 200, 200, 200, 200]);
    for (const { headers, text } of replies) {
      expect(headers.get("x-turnpike-model")).toBe(model);
      expect(text).not.toContain(failing);
    }
  });

  it("is the first of models where the request names no model", async () => {
    const reply = await chat({ models: [badModel("unavailable"), GOOD.claude] });
    expect([reply.status, reply.headers.get("x-turnpike-model")]).toEqual([200, GOOD.claude]);
    expect((await chat({ models: [GOOD.openai] })).status).toBe(200);
  });

  it("is not tried after the first byte, nor after an error of the request itself", async () => {
    at.upstream.next({ model: GOOD.openai }, { pieces: 20, cutAfterFrames: 10 });
    const cut = await chat({ model: GOOD.openai, models: [GOOD.claude], stream: true });
    expect(cut.text).toContain("w5");
    expect(cut.text).toContain("upstream ended the stream");
    at.upstream.next({ model: GOOD.openai }, { refuse: { status: 400, message: "bad parameter" } });
    expect((await chat({ model: GOOD.openai, models: [GOOD.claude] })).status).toBe(400);
  });

  it("returns the last model's error, and logs each attempt once", async () => {
    const reply = await chat({ model: FRESH, models: [badModel("rate_limit")] });
    expect(reply.status).toBe(429);
    const id = requestId(reply);
    const rows = await at.testSite.eventually("the rows of both attempts", 15_000, async () => {
      const { items } = await at.testSite.logs({ type: 6 });
      const own = items.filter(({ request_id }) => request_id.startsWith(id));
      return own.length === 2 ? own : undefined;
    });
    expect(rows.map(({ request_id }) => request_id).toSorted()).toEqual([`${id}-e1`, `${id}-e2`]);
  });

  it("must be allowed to the token", async () => {
    const { key: limited } = await at.testSite.token({
      model_limits_enabled: true,
      model_limits: `${badModel("unavailable")}`,
    });
    const body = { model: badModel("unavailable"), models: [GOOD.openai], messages: MESSAGES };
    expect((await post("/v1/chat/completions", body, {}, limited)).status).toBe(403);
  });

  it.each([
    [403, GOOD.openai],
    [404, "no-such-model"],
  ])(
    "is refused with %i before any upstream, as the requested model would be, in every dialect",
    async (status, other) => {
      const limits = `${GOOD.claude},no-such-model`;
      const { key: limited } = await at.testSite.token({ model_limits_enabled: true, model_limits: limits });
      at.upstream.calls.splice(0);
      const model = GOOD.claude;
      const header = { "x-turnpike-fallbacks": other };
      const replies = await Promise.all([
        post("/v1/chat/completions", { model, models: [other], messages: MESSAGES }, {}, limited),
        post("/v1/responses", { model, models: [other], input: "Hello." }, {}, limited),
        post("/v1/messages", { model, fallbacks: [{ model: other }], max_tokens: 50, messages: MESSAGES }, {}, limited),
        post("/v1/messages", { model, max_tokens: 50, messages: MESSAGES, stream: true }, header, limited),
        post(`/v1beta/models/${model}:generateContent`, { contents: [{ parts: [{ text: "Hi" }] }] }, header, limited),
      ]);
      expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => status));
      for (const { text } of replies) expect(text).toContain(other);
      expect(at.upstream.calls).toHaveLength(0);
    },
  );

  it("serves a caller whose balance does not cover the first model", async () => {
    await at.testSite.root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify({ [GOOD.openai]: 5 }) });
    const user = await at.testSite.createUser(100_000);
    const { key: poor } = await at.testSite.token({ unlimited_quota: true }, user.client);
    const body = { model: GOOD.openai, models: [GOOD.gemini], messages: MESSAGES };
    const reply = await at.testSite.eventually("the price", 5_000, async () => {
      const made = await post("/v1/chat/completions", body, {}, poor);
      return made.headers.get("x-turnpike-model") === GOOD.gemini ? made : undefined;
    });
    expect(reply.status).toBe(200);
    await at.testSite.root.put("/api/option/", { key: "ModelPrice", value: "{}" });
  });
});

describe("advisor that a request names", () => {
  const advised = (advisor: string, stream: boolean): Json => ({
    model: GOOD.claude,
    max_tokens: 50,
    messages: MESSAGES,
    stream,
    tools: [
      { name: "own", input_schema: {} },
      { type: "advisor_20260301", name: "advisor", model: advisor },
    ],
  });

  it.each([true, false])("must be allowed to the token and served to its group (streamed: %s)", async (stream) => {
    await at.testSite.root.put("/api/option/", { key: "GroupRatio", value: '{"default":1,"other":1}' });
    const url = at.upstream.url;
    const channel = {
      type: 14,
      name: "elsewhere",
      key: "k",
      base_url: url,
      models: "claude-elsewhere",
      group: "other",
    };
    await at.testSite.root.post("/api/channel/", channel);
    await addChannel(14, "claude-advisor", url);
    await at.testSite.eventually("routing", 20_000, async () =>
      (await post("/v1/messages", advised("claude-advisor", stream))).status === 200 ? true : undefined,
    );
    const { key: limited } = await at.testSite.token({ model_limits_enabled: true, model_limits: GOOD.claude });
    at.upstream.calls.splice(0);
    const refusals = await Promise.all([
      post("/v1/messages", advised("claude-advisor", stream), {}, limited),
      post("/v1/messages", advised("claude-nowhere", stream)),
      post("/v1/messages", advised("claude-elsewhere", stream)),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([403, 404, 404]);
    for (const { text } of refusals) expect(text).toContain("tools.1.model");
    expect(at.upstream.calls).toHaveLength(0);
  });
});

describe("model routes of the site", () => {
  it("has fallbacks of fallbacks, for the causes of the site only", async () => {
    await setOption("ModelFallbacks", {
      [badModel("unavailable")]: [badModel("rate_limit")],
      [badModel("rate_limit")]: [GOOD.claude],
    });
    const reply = await at.testSite.eventually("the fallbacks", 5_000, async () => {
      const made = await chat({ model: badModel("unavailable") });
      return made.status === 200 ? made : undefined;
    });
    expect(reply.headers.get("x-turnpike-model")).toBe(GOOD.claude);
    expect(await readOther(reply)).toMatchObject({ requested_model: badModel("unavailable"), attempts: 3 });
    await setOption("FallbackCauses", ["timeout"]);
    await at.testSite.eventually("the causes", 5_000, async () =>
      (await chat({ model: badModel("unavailable") })).status === 503 ? true : undefined,
    );
    await setOption("FallbackCauses", [...CAUSES, "budget"]);
    await setOption("ModelFallbacks", {});
  });

  it("lists aliases, and charges them as the model", async () => {
    await setOption("ModelAliases", { fast: "faster", faster: GOOD.openai, lost: "not-a-model" });
    const headers = { authorization: `Bearer ${key}` };
    const names = await at.testSite.eventually("the aliases", 5_000, async () => {
      const response = await fetch(`${at.world.relayUrl}/v1/models`, { headers });
      const { data } = (await response.json()) as { data: { id: string }[] };
      return data.some(({ id }) => id === "fast") ? data.map(({ id }) => id) : undefined;
    });
    expect(names).toContain("faster");
    expect(names).not.toContain("lost");
    const reply = await chat({ model: "fast" });
    expect(reply.status).toBe(200);
    expect(at.upstream.calls.at(-1)?.body).toMatchObject({ model: GOOD.openai });
    expect(await at.testSite.readLogRow(requestId(reply))).toMatchObject({ model_name: GOOD.openai });
    expect(await readOther(reply)).toMatchObject({ requested_model: "fast" });
    await setOption("ModelAliases", {});
  });

  it("refuses a cycle with its names, also one of aliases and fallbacks, saved at once or in turn", async () => {
    await expect(setOption("ModelAliases", { a: "b", b: "a" })).rejects.toThrow(/a → b → a/);
    await setOption("ModelAliases", { quick: "big" });
    await expect(setOption("ModelFallbacks", { big: ["quick"] })).rejects.toThrow(/quick → big → quick/);
    await setOption("ModelFallbacks", { big: ["small"] });
    await expect(setOption("ModelAliases", { small: "big" })).rejects.toThrow(/small → big → small/);
    const options = [
      { key: "ModelAliases", value: '{"x":"y"}' },
      { key: "ModelFallbacks", value: '{"y":["x"]}' },
    ];
    await expect(at.testSite.root.put("/api/option/batch", { options })).rejects.toThrow(/x → y → x/);
    await setOption("ModelFallbacks", {});
    await setOption("ModelAliases", {});
  });

  it("follows aliases among fallbacks, and the fallbacks of an alias", async () => {
    await setOption("ModelAliases", { quick: badModel("unavailable"), second: badModel("rate_limit") });
    await setOption("ModelFallbacks", {
      [badModel("unavailable")]: ["second"],
      [badModel("rate_limit")]: [badModel("timeout")],
      quick: [GOOD.gemini],
    });
    const reply = await at.testSite.eventually("the fallbacks", 5_000, async () => {
      const made = await chat({ model: "quick" });
      return made.status === 200 ? made : undefined;
    });
    expect(reply.headers.get("x-turnpike-model")).toBe(GOOD.gemini);
    expect(await readOther(reply)).toMatchObject({ requested_model: "quick", attempts: 4 });
    await setOption("ModelFallbacks", {});
    await setOption("ModelAliases", {});
  });

  it("leaves out fallbacks that the token may not use or its group is not served", async () => {
    const failing = badModel("unavailable");
    await at.testSite.root.put("/api/option/", { key: "GroupRatio", value: '{"default":1,"other":1}' });
    const channel = { type: 1, name: "others", key: "k", base_url: at.upstream.url, group: "other" };
    await at.testSite.root.post("/api/channel/", { ...channel, models: "of-others" });
    await setOption("ModelFallbacks", { [failing]: [GOOD.openai, GOOD.gemini, "of-others", "no-such-model"] });
    const addLimited = (models: string) => at.testSite.token({ model_limits_enabled: true, model_limits: models });
    const ask = (asKey: string) => post("/v1/chat/completions", { model: failing, messages: MESSAGES }, {}, asKey);
    const { key: some } = await addLimited(`${failing},${GOOD.gemini},of-others,no-such-model`);
    const reply = await at.testSite.eventually("the fallbacks", 5_000, async () => {
      const made = await ask(some);
      return made.status === 200 ? made : undefined;
    });
    expect(reply.headers.get("x-turnpike-model")).toBe(GOOD.gemini);
    // None is left: the failure of the requested model is returned.
    const { key: none } = await addLimited(`${failing},of-others,no-such-model`);
    const refused = await ask(none);
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("refused by the scenario")]);
    await setOption("ModelFallbacks", {});
  });
});

describe("model route of a token", () => {
  it("precedes the site's, for the token's calls alone", async () => {
    const { key: own } = await at.testSite.token({
      model_aliases: JSON.stringify({ mine: badModel("unavailable") }),
      model_fallbacks: JSON.stringify({ [badModel("unavailable")]: [GOOD.gemini] }),
    });
    const request = (asKey: string) => post("/v1/chat/completions", { model: "mine", messages: MESSAGES }, {}, asKey);
    const reply = await request(own);
    expect([reply.status, reply.headers.get("x-turnpike-model")]).toEqual([200, GOOD.gemini]);
    expect((await request(key)).status).toBe(404);
  });

  it("has causes of its own", async () => {
    const { key: own } = await at.testSite.token({
      model_fallbacks: JSON.stringify({ [badModel("unavailable")]: [GOOD.gemini] }),
      fallback_causes: JSON.stringify(["budget"]),
    });
    const body = { model: badModel("unavailable"), messages: MESSAGES };
    expect((await post("/v1/chat/completions", body, {}, own)).status).toBe(503);
  });

  it("is refused if it forms a cycle", async () => {
    const refused = at.testSite.token({ model_fallbacks: '{"a":["b"],"b":["a"]}' });
    await expect(refused).rejects.toThrow(/ModelFallbacks: a → b → a/);
    const mixed = { model_aliases: '{"quick":"big"}', model_fallbacks: '{"big":["quick"]}' };
    await expect(at.testSite.token(mixed)).rejects.toThrow(/quick → big → quick/);
    const { id } = await at.testSite.token({ model_aliases: mixed.model_aliases });
    const form = { id, name: "test", expired_time: -1, unlimited_quota: true, model_fallbacks: mixed.model_fallbacks };
    await expect(at.testSite.root.put("/api/token/", form)).rejects.toThrow(/quick → big → quick/);
    await setOption("ModelFallbacks", { one: ["two"] });
    await at.testSite.eventually("the site's fallbacks", 10_000, async () =>
      at.testSite.token({ model_fallbacks: '{"two":["one"]}' }).then(
        () => undefined,
        (error: unknown) => String(error).includes("one → two → one") || undefined,
      ),
    );
    await setOption("ModelFallbacks", {});
  });
});

describe("wrong fallback", () => {
  const many = Array.from({ length: 10 }, (_, index) => `m${index}`);
  it.each([
    ["models", "/v1/chat/completions", { models: "gpt" }, {}],
    ["models", "/v1/responses", { models: [5] }, {}],
    ["models", "/v1/chat/completions", { models: many }, {}],
    ["fallbacks", "/v1/messages", { fallbacks: [{ name: "x" }] }, {}],
    ["x-turnpike-fallbacks", "/v1/chat/completions", {}, { "x-turnpike-fallbacks": many.join(",") }],
    ["x-turnpike-fallbacks", "/v1/embeddings", {}, { "x-turnpike-fallbacks": "m".repeat(300) }],
  ])("is refused with the name of the field: %s at %s", async (field, path, body, headers) => {
    const reply = await post(
      path,
      { model: GOOD.openai, messages: MESSAGES, input: "x", max_tokens: 5, ...body },
      headers,
    );
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(`${field}: must`)]);
  });
});
