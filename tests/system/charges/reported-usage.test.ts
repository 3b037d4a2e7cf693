import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BEDROCK_KEY } from "../../lib/fake-upstream/bedrock-format.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { checkSettledLedger } from "../../lib/ledger-check.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Json = Readonly<Record<string, unknown>>;
type Dialect = "chat" | "messages" | "responses" | "gemini";
const DIALECTS: readonly Dialect[] = ["chat", "messages", "responses", "gemini"];
const PATHS = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
const HELLO = [{ role: "user", content: "hello world" }];
const BODIES = {
  chat: { messages: HELLO },
  messages: { messages: HELLO, max_tokens: 1000 },
  responses: { input: "hello world" },
  gemini: { contents: [{ role: "user", parts: [{ text: "hello world" }] }] },
} as const;

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let key: string;

type Call = { readonly dialect: Dialect; readonly model: string; readonly stream: boolean; readonly body?: Json };

function send({ dialect, model, stream, body = {} }: Call, signal?: AbortSignal): Promise<Response> {
  const path =
    dialect === "gemini"
      ? `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`
      : PATHS[dialect];
  const own = dialect === "gemini" ? {} : { model, ...(stream ? { stream } : {}) };
  return fetch(world.relayUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...BODIES[dialect], ...own, ...body }),
    ...(signal ? { signal } : {}),
  });
}

/** The log row of a call, whatever its response was. */
async function charge(call: Call): Promise<LogRow> {
  const response = await send(call);
  await response.text();
  return testSite.readLogRow(response.headers.get("x-request-id") ?? "");
}

const events = (list: readonly Json[], named: boolean): string =>
  list.map((event) => `${named ? `event: ${String(event["type"])}\n` : ""}data: ${JSON.stringify(event)}\n\n`).join("");

function script(body: Json | string): void {
  const isStream = typeof body === "string";
  upstream.always(
    {},
    {
      raw: {
        headers: { "content-type": isStream ? "text/event-stream" : "application/json" },
        body: isStream ? body : JSON.stringify(body),
      },
    },
  );
}

/** A response of Claude with this usage, whole or as events: the iterations arrive with the last numbers. */
function scriptClaude(usage: Json, stream: boolean): void {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5", stop_sequence: null };
  const block = { type: "text", text: "Fine." };
  if (!stream) return script({ ...message, content: [block], stop_reason: "end_turn", usage });
  const { iterations: _iterations, ...first } = usage;
  script(
    events(
      [
        {
          type: "message_start",
          message: { ...message, content: [], stop_reason: null, usage: { ...first, output_tokens: 1 } },
        },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Fine." } },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
        { type: "message_stop" },
      ],
      true,
    ),
  );
}

const setOption = (name: string, value: unknown) =>
  testSite.root.put("/api/option/", { key: name, value: JSON.stringify(value) });

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  const place = { key: "up-key", base_url: upstream.url, group: "default", priority: 1 };
  await testSite.root.post("/api/channel/", {
    ...place,
    type: 14,
    name: "claude",
    models: "claude-opus-5,mapped",
    model_mapping: '{"mapped":"claude-opus-5"}',
  });
  await testSite.root.post("/api/channel/", { ...place, type: 24, name: "google", models: "gemini-2.5-pro" });
  await testSite.root.post("/api/channel/", { ...place, type: 1, name: "gpt", models: "gpt-5.4" });
  const bedrock = {
    ...place,
    type: 33,
    key: BEDROCK_KEY,
    name: "bedrock",
    models: "claude-sonnet-4-5-20250929",
  };
  await testSite.root.post("/api/channel/", bedrock);
  const { client } = await testSite.createUser(100_000_000_000);
  ({ key } = await testSite.token({ unlimited_quota: true }, client));
  const models = ["claude-opus-5", "mapped", "gemini-2.5-pro", "gpt-5.4", "claude-sonnet-4-5-20250929"];
  const all = (ratio: number) => Object.fromEntries(models.map((name) => [name, ratio]));
  await setOption("ModelRatio", { ...all(1), "claude-advisor-9": 5 });
  await setOption("CompletionRatio", { ...all(2), "claude-advisor-9": 3 });
  await setOption("CacheRatio", all(0.1));
  await setOption("CreateCacheRatio", all(1.25));
  scriptClaude({ input_tokens: 1000, output_tokens: 1 }, false);
  await testSite.eventually("the prices", 10_000, async () => {
    const { quota } = await charge({ dialect: "messages", model: "claude-opus-5", stream: false });
    return quota === 1002 ? true : undefined;
  });
}, 120_000);
afterAll(async () => {
  await world.stop();
  await upstream.stop();
});
afterAll(() => checkSettledLedger(world), 60_000);

const TOTALS = { input_tokens: 2000, output_tokens: 100 };
const MESSAGE = { type: "message", ...TOTALS };

describe("usage of iterations that Anthropic's totals lack", () => {
  const each = DIALECTS.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream })));

  it.each(each)("charges a compaction ($dialect, stream $stream)", async ({ dialect, stream }) => {
    const compaction = { type: "compaction", input_tokens: 18_000, output_tokens: 350 };
    scriptClaude({ ...TOTALS, iterations: [compaction, MESSAGE] }, stream);
    const row = await charge({ dialect, model: "claude-opus-5", stream });
    expect(row.quota).toBe(20_900);
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([20_000, 450]);
    expect(JSON.parse(row.other)).toMatchObject({
      iterations: [{ type: "compaction", prompt_tokens: 18_000, completion_tokens: 350, price_model: "claude-opus-5" }],
    });
  });

  it("charges cache reads and writes within an iteration at their own ratios", async () => {
    const compaction = {
      type: "compaction",
      input_tokens: 1000,
      cache_read_input_tokens: 20_000,
      cache_creation_input_tokens: 400,
      output_tokens: 100,
    };
    scriptClaude({ ...TOTALS, iterations: [compaction, MESSAGE] }, false);
    const { quota, other } = await charge({ dialect: "messages", model: "claude-opus-5", stream: false });
    expect(quota).toBe(2200 + 1000 + 2000 + 500 + 200);
    expect(JSON.parse(other)).toMatchObject({ iterations: [{ cache_tokens: 20_000, cache_creation_tokens: 400 }] });
  });

  it("charges a compaction after which the model wrote nothing", async () => {
    const compaction = { type: "compaction", input_tokens: 18_000, output_tokens: 350 };
    scriptClaude({ input_tokens: 0, output_tokens: 0, iterations: [compaction] }, false);
    expect((await charge({ dialect: "messages", model: "claude-opus-5", stream: false })).quota).toBe(18_700);
  });

  it("charges an advisor's tokens at the price of the model that it names", async () => {
    const advisor = { type: "advisor_message", model: "claude-advisor-9", input_tokens: 1000, output_tokens: 10 };
    scriptClaude({ ...TOTALS, iterations: [MESSAGE, advisor] }, true);
    const { quota, other } = await charge({ dialect: "messages", model: "claude-opus-5", stream: true });
    expect(quota).toBe(2200 + 5 * (1000 + 30));
    expect(JSON.parse(other)).toMatchObject({
      iterations: [{ model: "claude-advisor-9", price_model: "claude-advisor-9" }],
    });
  });

  it("charges a fallback model at its own price, and its tokens once", async () => {
    const declined = { type: "message", model: "claude-opus-5", input_tokens: 1000, output_tokens: 0 };
    const served = { type: "fallback_message", model: "claude-advisor-9", input_tokens: 1000, output_tokens: 100 };
    scriptClaude({ ...TOTALS, iterations: [declined, served] }, false);
    const row = await charge({ dialect: "messages", model: "claude-opus-5", stream: false });
    expect(row.quota).toBe(1000 + 5 * (1000 + 300));
    expect([row.prompt_tokens, row.completion_tokens]).toEqual([2000, 100]);
  });

  it.each(["claude-opus-5", "mapped"])("does not add the turns of a tool loop again (%s)", async (model) => {
    const turn = { type: "message", model: "claude-opus-5-20260701", input_tokens: 1000, output_tokens: 50 };
    scriptClaude({ ...TOTALS, iterations: [turn, turn] }, false);
    const row = await charge({ dialect: "messages", model, stream: false });
    expect(row.quota).toBe(2200);
    expect(JSON.parse(row.other)).not.toHaveProperty("iterations");
  });

  it("charges a compaction on Bedrock", async () => {
    const compaction = { type: "compaction", input_tokens: 18_000, output_tokens: 350 };
    scriptClaude({ ...TOTALS, iterations: [compaction, MESSAGE] }, false);
    expect((await charge({ dialect: "messages", model: "claude-sonnet-4-5-20250929", stream: false })).quota).toBe(
      20_900,
    );
  });
});

describe("prompt that was read and got an empty response", () => {
  const each = DIALECTS.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream })));
  const usageMetadata = { promptTokenCount: 90_000, totalTokenCount: 90_000 };
  const scriptGemini = (body: Json, stream: boolean): void => script(stream ? events([body], false) : body);

  it.each(each)("is charged when Gemini's filter stops it ($dialect, stream $stream)", async ({ dialect, stream }) => {
    scriptGemini({ candidates: [{ finishReason: "SAFETY", index: 0 }], usageMetadata }, stream);
    expect((await charge({ dialect, model: "gemini-2.5-pro", stream })).quota).toBe(90_000);
  });

  it.each(each)("is charged when Gemini blocks it ($dialect, stream $stream)", async ({ dialect, stream }) => {
    scriptGemini({ promptFeedback: { blockReason: "SAFETY" }, usageMetadata }, stream);
    expect((await charge({ dialect, model: "gemini-2.5-pro", stream })).quota).toBe(90_000);
  });

  it.each(each)(
    "is charged after a malformed function call ($dialect, stream $stream)",
    async ({ dialect, stream }) => {
      scriptGemini({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", index: 0 }], usageMetadata }, stream);
      expect((await charge({ dialect, model: "gemini-2.5-pro", stream })).quota).toBe(90_000);
    },
  );

  it.each(each)("is charged when OpenAI's filter stops it ($dialect, stream $stream)", async ({ dialect, stream }) => {
    const usage = { prompt_tokens: 90_000, completion_tokens: 0, total_tokens: 90_000 };
    const about = { id: "chatcmpl-1", created: 1, model: "gpt-5.4" };
    const content = { role: "assistant", content: "" };
    if (stream) {
      const choice = { index: 0, delta: content, finish_reason: null };
      const end = { index: 0, delta: {}, finish_reason: "content_filter" };
      const chunk = { ...about, object: "chat.completion.chunk" };
      const list = [
        { ...chunk, choices: [choice] },
        { ...chunk, choices: [end] },
        { ...chunk, choices: [], usage },
      ];
      script(`${events(list, false)}data: [DONE]\n\n`);
    } else {
      const choice = { index: 0, message: content, finish_reason: "content_filter" };
      script({ ...about, object: "chat.completion", choices: [choice], usage });
    }
    const response = { id: "resp_1", object: "response", model: "gpt-5.4", status: "incomplete", output: [] };
    const incomplete = {
      ...response,
      incomplete_details: { reason: "content_filter" },
      usage: { input_tokens: 90_000, output_tokens: 0, total_tokens: 90_000 },
    };
    if (dialect === "responses")
      script(
        stream
          ? events(
              [
                { type: "response.created", sequence_number: 0, response: { ...response, status: "in_progress" } },
                { type: "response.incomplete", sequence_number: 1, response: incomplete },
              ],
              true,
            )
          : incomplete,
      );
    expect((await charge({ dialect, model: "gpt-5.4", stream })).quota).toBe(90_000);
  });
});

describe("several choices without usage", () => {
  const words = (count: number): string => "word ".repeat(count).trim();
  const about = { id: "chatcmpl-1", created: 1, model: "gpt-5.4" };

  it("are all charged, whole", async () => {
    const choices = [0, 1].map((index) => ({
      index,
      message: { role: "assistant", content: words(50) },
      finish_reason: "stop",
    }));
    script({ ...about, object: "chat.completion", choices });
    const row = await charge({ dialect: "chat", model: "gpt-5.4", stream: false, body: { n: 2 } });
    expect(row.completion_tokens).toBe(100);
  });

  it("are all charged when the stream is cut", async () => {
    const choices = (content: string) =>
      Array.from({ length: 8 }, (_, index) => ({ index, delta: { content }, finish_reason: null }));
    const chunk = (content: string) => ({ ...about, object: "chat.completion.chunk", choices: choices(content) });
    script(
      events(
        Array.from({ length: 50 }, () => chunk(" word")),
        false,
      ),
    );
    const row = await charge({ dialect: "chat", model: "gpt-5.4", stream: true, body: { n: 8 } });
    expect(row.completion_tokens).toBe(400);
  });

  it("of Gemini are all charged", async () => {
    const candidates = [0, 1].map((index) => ({
      index,
      content: { role: "model", parts: [{ text: words(50) }] },
      finishReason: "STOP",
    }));
    script({ candidates });
    const row = await charge({
      dialect: "gemini",
      model: "gemini-2.5-pro",
      stream: false,
      body: { generationConfig: { candidateCount: 2 } },
    });
    expect(row.completion_tokens).toBe(100);
  });
});
