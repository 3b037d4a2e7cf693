import { beforeAll, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
const MODELS = ["gpt-5.4", "gpt-5.5", "gpt-5.6"];
const CHAT = "/v1/chat/completions";
const RESPONSES = "/v1/responses";

type Json = Record<string, unknown>;
let key = "";

beforeAll(async () => {
  const prices = JSON.stringify(Object.fromEntries(MODELS.map((model) => [model, 1])));
  await at.testSite.root.put("/api/option/", { key: "ModelRatio", value: prices });
  const models = MODELS.join(",");
  const channel = { type: 1, name: "reasoning", key: "k", base_url: at.upstream.url, models, group: "default" };
  await at.testSite.root.post("/api/channel/", channel);
  ({ key } = await at.testSite.token());
  const isReady = async () => (await send("chat", { model: "gpt-5.4" })).status === 200 || undefined;
  await at.testSite.eventually("routing", 20_000, isReady);
}, 60_000);

const SCHEMA = { type: "object", properties: { path: { type: "string" } } };
const MESSAGES = [{ role: "user", content: "Read a." }];
const FUNCTION = { type: "function", function: { name: "read", parameters: SCHEMA } };
const TOOL = { name: "read", input_schema: SCHEMA };
const DECLARATION = { functionDeclarations: [{ name: "read", parameters: SCHEMA }] };

/** A call in each dialect, with the tool unless `extra` replaces it. */
const DIALECTS: Record<string, (model: string, stream: boolean) => { path: string; body: Json }> = {
  chat: (model, stream) => ({ path: CHAT, body: { model, stream, messages: MESSAGES, tools: [FUNCTION] } }),
  messages: (model, stream) => ({
    path: "/v1/messages",
    body: { model, stream, max_tokens: 4000, messages: MESSAGES, tools: [TOOL] },
  }),
  gemini: (model, stream) => ({
    path: `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: { contents: [{ role: "user", parts: [{ text: "Read a." }] }], tools: [DECLARATION] },
  }),
};

async function send(dialect: string, { model = "", ...extra }: Json, stream = false) {
  const { path, body } = DIALECTS[dialect]?.(String(model), stream) ?? { path: "", body: {} };
  const response = await fetch(at.world.relayUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, "x-api-key": key },
    body: JSON.stringify({ ...body, ...extra }),
  });
  return { status: response.status, text: await response.text() };
}

const EFFORTS: Record<string, Json> = {
  chat: { reasoning_effort: "high" },
  messages: { thinking: { type: "enabled", budget_tokens: 3000 } },
  gemini: { generationConfig: { thinkingConfig: { thinkingBudget: 8000 } } },
};

describe.each(Object.keys(DIALECTS))("%s call with tools and reasoning", (dialect) => {
  for (const model of MODELS)
    for (const stream of [false, true])
      it(`is served by ${model} through the Responses API${stream ? ", streamed" : ""}`, async () => {
        at.upstream.next({ model }, { toolCalls: [{ name: "read", arguments: { path: "a" } }] });
        const { status, text } = await send(dialect, { model, ...EFFORTS[dialect] }, stream);
        expect([status, text]).toEqual([200, expect.stringContaining("read")]);
        expect(at.upstream.calls.map(({ path }) => path)).toEqual([RESPONSES]);
        expect(at.upstream.calls[0]?.body).toMatchObject({
          tools: [{ name: "read" }],
          reasoning: { effort: expect.any(String) as string },
        });
      });

  it("is served by GPT-5.6 through the Responses API without an effort too", async () => {
    const { status, text } = await send(dialect, { model: "gpt-5.6" });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(at.upstream.calls.map(({ path }) => path)).toEqual([RESPONSES]);
    expect(at.upstream.calls[0]?.body).not.toHaveProperty("reasoning");
  });

  it("stays in chat without reasoning", async () => {
    expect((await send(dialect, { model: "gpt-5.4" })).status).toBe(200);
    expect(at.upstream.calls.map(({ path }) => path)).toEqual([CHAT]);
  });
});

describe("chat call of such a model", () => {
  it.each<[string, Json]>([
    ["without tools", { tools: undefined, reasoning_effort: "high" }],
    ["with reasoning switched off", { reasoning_effort: "none" }],
  ])("keeps its bytes %s", async (_, extra) => {
    expect((await send("chat", { model: "gpt-5.6", ...extra })).status).toBe(200);
    expect(at.upstream.calls.map(({ path }) => path)).toEqual([CHAT]);
  });

  it("that the Responses API cannot express reaches OpenAI, whose refusal names the reason", async () => {
    const { status, text } = await send("chat", { model: "gpt-5.6", n: 2 });
    expect(status).toBe(400);
    expect(text).toContain("Please use /v1/responses");
  });

  it("continues from the result of a call", async () => {
    const call = { id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } };
    const messages = [
      ...MESSAGES,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "found" },
    ];
    const { status, text } = await send("chat", { model: "gpt-5.5", reasoning_effort: "low", messages });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(at.upstream.calls[0]?.body["input"]).toMatchObject([
      { role: "user" },
      { type: "function_call", call_id: "call_1", name: "read" },
      { type: "function_call_output", call_id: "call_1", output: "found" },
    ]);
  });
});
