import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSettledLedger } from "../../lib/ledger-check.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import type { Scenario } from "../../lib/fake-upstream/scenario.ts";
import { openTestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

/** JSON.parse makes 1234567890123456800 of it. Bodies are written as text here: a program would round it as well. */
const ID = "1234567890123456789";
const SCHEMA = `{"type":"object","properties":{"id":{"type":"integer","enum":[${ID}]}}}`;
const RESULT = `{"found":${ID}}`;

const KINDS = [
  ["OpenAI", 1, "gpt-5-exact"],
  ["Claude", 14, "claude-exact"],
  ["Gemini", 24, "gemini-exact"],
] as const;

type Written = { readonly path: (model: string, stream: boolean) => string; readonly body: (model: string) => string };
/** A conversation with a call, its result and the tool, in each dialect. GPT-5 has another name for chat's `max_tokens`. */
const DIALECTS: Readonly<Record<string, Written>> = {
  chat: {
    path: () => "/v1/chat/completions",
    body: (model) => `{"model":"${model}","max_tokens":100,"messages":[{"role":"user","content":"hi"},
      {"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"find","arguments":${JSON.stringify(`{"id":${ID}}`)}}}]},
      {"role":"tool","tool_call_id":"call_1","content":${JSON.stringify(RESULT)}}],
      "tools":[{"type":"function","function":{"name":"find","parameters":${SCHEMA}}}]`,
  },
  messages: {
    path: () => "/v1/messages",
    body: (model) => `{"model":"${model}","max_tokens":100,"messages":[{"role":"user","content":"hi"},
      {"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"find","input":{"id":${ID}}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":${JSON.stringify(RESULT)}}]}],
      "tools":[{"name":"find","input_schema":${SCHEMA}}]`,
  },
  responses: {
    path: () => "/v1/responses",
    body: (model) => `{"model":"${model}","input":[{"role":"user","content":"hi"},
      {"type":"function_call","call_id":"call_1","name":"find","arguments":${JSON.stringify(`{"id":${ID}}`)}},
      {"type":"function_call_output","call_id":"call_1","output":${JSON.stringify(RESULT)}}],
      "tools":[{"type":"function","name":"find","parameters":${SCHEMA},"strict":false}]`,
  },
  gemini: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: () => `{"contents":[{"role":"user","parts":[{"text":"hi"}]},
      {"role":"model","parts":[{"functionCall":{"name":"find","args":{"id":${ID}}}}]},
      {"role":"user","parts":[{"functionResponse":{"name":"find","response":${RESULT}}}]}],
      "tools":[{"functionDeclarations":[{"name":"find","parameters":${SCHEMA}}]}]`,
  },
};

const events = (...data: readonly string[]): string =>
  data.map((one) => `event: ${/"type":"([a-z_.]+)"/.exec(one)?.[1] ?? "message"}\ndata: ${one}\n\n`).join("");
const GEMINI = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"find","args":{"id":${ID}}}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":5,"totalTokenCount":10},"modelVersion":"g","responseId":"r"}`;
const ARGUMENTS = JSON.stringify(`{"id":${ID}}`);
const CLAUDE_START = `"id":"msg_1","type":"message","role":"assistant","model":"c"`;
const USAGE = `"usage":{"input_tokens":5,"output_tokens":5}`;
const CHAT = `"id":"c1","created":1,"model":"m"`;
const CALL = `{"index":0,"id":"call_9","type":"function","function":{"name":"find","arguments":${ARGUMENTS}}}`;
const CHAT_USAGE = `"usage":{"prompt_tokens":5,"completion_tokens":5,"total_tokens":10}`;
const ITEM = `{"type":"function_call","id":"fc_1","call_id":"call_9","name":"find","arguments":${ARGUMENTS},"status":"completed"}`;
const RESPONSE = `{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[${ITEM}],"usage":{"input_tokens":5,"output_tokens":5,"total_tokens":10}}`;

/** What each kind of upstream responds with: a call whose input has the integer. */
function getBody(path: string, stream: boolean): string {
  if (path.includes("enerateContent")) return stream ? `data: ${GEMINI}\n\n` : GEMINI;
  if (path.endsWith("/messages") && !stream)
    return `{${CLAUDE_START},"content":[{"type":"tool_use","id":"toolu_9","name":"find","input":{"id":${ID}}}],"stop_reason":"tool_use","stop_sequence":null,${USAGE}}`;
  if (path.endsWith("/messages"))
    return events(
      `{"type":"message_start","message":{${CLAUDE_START},"content":[],"stop_reason":null,${USAGE}}}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_9","name":"find","input":{"id":${ID}}}}`,
      `{"type":"content_block_stop","index":0}`,
      `{"type":"message_delta","delta":{"stop_reason":"tool_use"},${USAGE}}`,
      `{"type":"message_stop"}`,
    );
  if (path.endsWith("/responses"))
    return stream
      ? events(
          `{"type":"response.created","sequence_number":0,"response":${RESPONSE.replace('"completed"', '"in_progress"')}}`,
          `{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":${ITEM.replace(ARGUMENTS, '""')}}`,
          `{"type":"response.function_call_arguments.delta","sequence_number":2,"output_index":0,"item_id":"fc_1","delta":${ARGUMENTS}}`,
          `{"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":${ITEM}}`,
          `{"type":"response.completed","sequence_number":4,"response":${RESPONSE}}`,
        )
      : RESPONSE;
  if (!stream)
    return `{${CHAT},"object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[${CALL}]}}],${CHAT_USAGE}}`;
  const chunk = (choices: string, rest = "") =>
    `data: {${CHAT},"object":"chat.completion.chunk","choices":[${choices}]${rest}}\n\n`;
  return (
    chunk(`{"index":0,"delta":{"role":"assistant","tool_calls":[${CALL}]},"finish_reason":null}`) +
    chunk(`{"index":0,"delta":{},"finish_reason":"tool_calls"}`) +
    `${chunk("", `,${CHAT_USAGE}`)}data: [DONE]\n\n`
  );
}

let world: World;
let upstream: FakeUpstream;
let key: string;
let received = "";

beforeAll(async () => {
  upstream = await startFakeUpstream({
    respond: ({ stream }, { path, bytes }): Scenario => {
      received = bytes.toString("utf8");
      const isStream = stream || path.includes("stream");
      const headers = { "content-type": isStream ? "text/event-stream" : "application/json" };
      return { raw: { headers, body: getBody(path, isStream) } };
    },
  });
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  const testSite = await openTestSite(world, upstream.url);
  const prices = JSON.stringify(Object.fromEntries(KINDS.map(([, , model]) => [model, 1])));
  await testSite.root.put("/api/option/", { key: "ModelRatio", value: prices });
  for (const [name, type, models] of KINDS)
    await testSite.root.post("/api/channel/", {
      type,
      name,
      key: "k",
      base_url: upstream.url,
      models,
      group: "default",
    });
  ({ key } = await testSite.token());
  const isReady = async () => (await send("chat", "gpt-5-exact", false)).status === 200 || undefined;
  await testSite.eventually("routing", 20_000, isReady);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});
afterAll(() => checkSettledLedger(world), 60_000);

async function send(dialect: string, model: string, stream: boolean): Promise<{ status: number; text: string }> {
  const written = DIALECTS[dialect] as Written;
  const rest = dialect === "gemini" ? "}" : `,"stream":${String(stream)}}`;
  const response = await fetch(world.relayUrl + written.path(model, stream), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "x-api-key": key,
      "anthropic-version": "2023-06-01",
    },
    body: written.body(model) + rest,
  });
  return { status: response.status, text: await response.text() };
}

const count = (text: string): number => text.split(ID).length - 1;

describe.each(KINDS)("an integer beyond double precision on a channel of %s", (_, __, model) => {
  for (const dialect of Object.keys(DIALECTS))
    for (const stream of [false, true])
      it(`keeps its digits in both directions for ${dialect}${stream ? ", streamed" : ""}`, async () => {
        const { status, text } = await send(dialect, model, stream);
        expect(status).toBe(200);
        // In the call, in its result, and in the tool's schema.
        expect(count(received)).toBe(3);
        expect(count(text)).toBeGreaterThanOrEqual(1);
        for (const side of [received, text]) expect(side).not.toMatch(/12345678901234567(?!89)/);
      });
});

describe("an integer beyond double precision in a field of another type", () => {
  const model = KINDS[1][2];
  const user = '{"role":"user","content":"hi"}';
  it.each([
    ["/v1/chat/completions", `{"model":"${model}","messages":[{"role":${ID},"content":"hi"}]}`, 400],
    ["/v1/chat/completions", `{"model":"${model}","messages":[${user}],"max_tokens":${ID}}`, 400],
    ["/v1/chat/completions", `{"model":"${model}","messages":[${user}],"n":${ID}}`, 400],
    ["/v1/chat/completions", `{"model":"${model}","messages":[${user}],"seed":${ID},"user":${ID}}`, 400],
    ["/v1/chat/completions", `{"model":"${model}","messages":[${user}],"seed":${ID}}`, 200],
    ["/v1/responses", `{"model":"${model}","input":[{"role":${ID},"content":"hi"}]}`, 400],
    ["/v1/responses", `{"model":"${model}","input":"hi","tools":[{"type":"image_generation","quality":${ID}}]}`, 200],
  ])("is refused or read as the nearest number: %s %s", async (path, body, status) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    const response = await fetch(world.relayUrl + path, { method: "POST", headers, body });
    await response.text();
    expect(response.status).toBe(status);
  });
});
