import { describe, expect, it } from "vitest";
import type { ChatRequest, Json, StreamPart } from "../../core/chat/chat.ts";
import { readParts, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "./providers.ts";
import { OPENAI_COMPATIBLE } from "./openai-compatible.ts";
import type { Provider, Target } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

const provider = (type: number): Provider => {
  const found = findProvider(type);
  if (!found) throw new Error(`no provider of type ${type}`);
  return found;
};

const target = (type: number, given: Partial<Target> = {}): Target =>
  targetFor({ channelType: type, model: "m", ...given });

const REQUEST: ChatRequest = {
  model: "m",
  system: [{ type: "text", text: "Be brief." }],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: true,
  includeUsage: false,
};

const GATEWAY = "https://gateway.ai.cloudflare.com/v1/account/gw";

describe("chat URL", () => {
  it.each<[number, Partial<Target>, string]>([
    [
      3,
      { baseUrl: "https://acme.openai.azure.com", model: "gpt-4.1" },
      "https://acme.openai.azure.com/openai/deployments/gpt-4.1/chat/completions?api-version=2025-04-01-preview",
    ],
    [
      3,
      { baseUrl: "https://a.b", model: "o3", other: "2024-10-21" },
      "https://a.b/openai/deployments/o3/chat/completions?api-version=2024-10-21",
    ],
    [
      3,
      { baseUrl: "https://a.b", model: "o3", other: "2024-10-21", clientHeaders: { "api-version": "2025-01-01" } },
      "https://a.b/openai/deployments/o3/chat/completions?api-version=2025-01-01",
    ],
    [3, { baseUrl: "https://a.b/openai/v1" }, "https://a.b/openai/v1/chat/completions"],
    [
      3,
      { baseUrl: `${GATEWAY}/azure-openai/acme`, model: "d", other: "v" },
      `${GATEWAY}/azure-openai/acme/d/chat/completions?api-version=v`,
    ],
    [4, {}, "http://localhost:11434/v1/chat/completions"],
    [17, {}, "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"],
    [17, { baseUrl: "https://host/compatible-mode/v1" }, "https://host/compatible-mode/v1/chat/completions"],
    [19, {}, "https://api.360.cn/v1/chat/completions"],
    [20, {}, "https://openrouter.ai/api/v1/chat/completions"],
    [22, {}, "https://fastgpt.run/api/openapi/v1/chat/completions"],
    [22, { baseUrl: "http://fastgpt:3000/api" }, "http://fastgpt:3000/api/v1/chat/completions"],
    [25, {}, "https://api.moonshot.cn/v1/chat/completions"],
    [26, {}, "https://open.bigmodel.cn/api/paas/v4/chat/completions"],
    [26, { baseUrl: "https://host/api/paas/v4" }, "https://host/api/paas/v4/chat/completions"],
    [26, { baseUrl: "http://api" }, "http://api/api/paas/v4/chat/completions"],
    [27, {}, "https://api.perplexity.ai/chat/completions"],
    [31, {}, "https://api.lingyiwanwu.com/v1/chat/completions"],
    [35, {}, "https://api.minimax.chat/v1/text/chatcompletion_v2"],
    [39, { other: "acc" }, "https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/chat/completions"],
    [39, { baseUrl: `${GATEWAY}/workers-ai` }, `${GATEWAY}/workers-ai/v1/chat/completions`],
    [40, {}, "https://api.siliconflow.cn/v1/chat/completions"],
    [42, {}, "https://api.mistral.ai/v1/chat/completions"],
    [43, {}, "https://api.deepseek.com/chat/completions"],
    [43, { baseUrl: "https://api.deepseek.com/v1" }, "https://api.deepseek.com/v1/chat/completions"],
    [45, {}, "https://ark.cn-beijing.volces.com/api/v3/chat/completions"],
    [45, { model: "bot-2025" }, "https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions"],
    [46, {}, "https://qianfan.baidubce.com/v2/chat/completions"],
    [47, { baseUrl: "http://xinference:9997" }, "http://xinference:9997/v1/chat/completions"],
    [48, {}, "https://api.x.ai/v1/chat/completions"],
    [49, {}, "https://models.github.ai/inference/chat/completions"],
  ])("of type %i with %j is %s", (type, given, url) => {
    const place = provider(type).address(target(type, given), false);
    expect(place.url).toBe(url);
    expect(provider(type).buildRequest(REQUEST, target(type, given)).url).toBe(url);
  });
});

describe("headers", () => {
  it.each<[number, Partial<Target>, Json]>([
    [3, {}, { "api-key": "sk-upstream" }],
    [17, {}, { authorization: "Bearer sk-upstream" }],
    [17, { other: "pdf_extracter" }, { authorization: "Bearer sk-upstream", "x-dashscope-plugin": "pdf_extracter" }],
    [20, {}, { authorization: "Bearer sk-upstream", "x-title": "Turnpike" }],
    [26, { key: "id.secret" }, { authorization: "Bearer id.secret" }],
    [46, { key: "bce-v3/a|app-1" }, { authorization: "Bearer bce-v3/a", appid: "app-1" }],
  ])("of type %i with %j are %j", (type, given, headers) => {
    expect(provider(type).address(target(type, given), false).headers).toEqual({
      "content-type": "application/json",
      ...headers,
    });
  });

  it("identifies the calling site to OpenRouter", () => {
    const { settings } = target(20);
    const place = provider(20).address(
      target(20, { settings: { ...settings, siteAddress: "https://me.test" } }),
      false,
    );
    expect(place.headers).toMatchObject({ "http-referer": "https://me.test" });
  });
});

describe("usage in streams", () => {
  it.each(OPENAI_COMPATIBLE.map(({ type, supportsStreamUsage }) => [type, supportsStreamUsage] as const))(
    "is requested if type %i supports it: %j",
    (type, supportsStreamUsage) => {
      const given = target(type, { baseUrl: "https://host" });
      const { json } = provider(type).buildRequest(REQUEST, given);
      expect("stream_options" in json).toBe(supportsStreamUsage);
      const sent = { model: "m", stream: true, stream_options: { include_usage: true }, messages: [] };
      expect("stream_options" in (provider(type).adaptBody?.(sent, given) ?? sent)).toBe(supportsStreamUsage);
    },
  );
});

const IMAGE = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };

describe("caller body", () => {
  it.each(OPENAI_COMPATIBLE.map(({ type }) => [type]))(
    "is passed through unchanged if type %i requires no change",
    (type) => {
      const body = {
        model: "m",
        temperature: 0.5,
        top_p: 0.9,
        max_tokens: 5,
        messages: [{ role: "user", content: "hi" }],
      };
      expect(provider(type).adaptBody?.(body, target(type))).toBe(body);
    },
  );

  it.each<[string, number, Json & { model?: string }, Json]>([
    ["Ali's top_p below 1", 17, { top_p: 1 }, { top_p: 0.999 }],
    ["Ali's top_p above 0", 17, { top_p: 0 }, { top_p: 0.001 }],
    ["Ali's temperature below 2", 17, { temperature: 2 }, { temperature: 1.99 }],
    ["Ali's choice of some tool", 17, { tool_choice: "required" }, { tool_choice: "auto" }],
    ["Ali's effort that was not said", 17, { reasoning_effort: null }, {}],
    [
      "open Qwen without reasoning in non-streaming responses, requested or not",
      17,
      { model: "qwen3-8b", reasoning_effort: "low" },
      { model: "qwen3-8b", enable_thinking: false },
    ],
    [
      "Zhipu's tools chosen by the model",
      26,
      { tools: [], tool_choice: "required" },
      { tools: [], tool_choice: "auto" },
    ],
    ["Zhipu's tools not at all", 26, { tools: [], tool_choice: "none" }, {}],
    ["Zhipu's one stop", 26, { stop: ["a", "b"] }, { stop: ["a"] }],
    ["Ollama's only bound", 4, { max_completion_tokens: 9 }, { max_tokens: 9 }],
    ["Ali's effort as a switch", 17, { reasoning_effort: "high" }, { enable_thinking: true }],
    [
      "open Qwen without reasoning in non-streaming responses",
      17,
      { model: "qwen3-8b" },
      { model: "qwen3-8b", enable_thinking: false },
    ],
    ["open Qwen as requested in streams", 17, { model: "qwen3-8b", stream: true }, { model: "qwen3-8b", stream: true }],
    ["Moonshot's temperature up to 1", 25, { temperature: 1.7 }, { temperature: 1 }],
    ["MiniMax's temperature above 0", 35, { temperature: 0 }, { temperature: 0.01 }],
    ["MiniMax's temperature up to 1", 35, { temperature: 1.9 }, { temperature: 1 }],
    ["Perplexity's temperature below 2", 27, { temperature: 2, messages: [] }, { temperature: 1.99, messages: [] }],
    ["SiliconFlow's only bound", 40, { max_completion_tokens: 9 }, { max_tokens: 9 }],
    [
      "Mistral's names with tools' results alone",
      42,
      {
        messages: [
          { role: "user", name: "ann", content: "hi" },
          { role: "tool", name: "now", tool_call_id: "abcdefgh1", content: "{}" },
        ],
      },
      {
        messages: [
          { role: "user", content: "hi" },
          { role: "tool", name: "now", tool_call_id: "abcdefgh1", content: "{}" },
        ],
      },
    ],
    [
      "Mistral's functions with parameters, be they none",
      42,
      { tools: [{ type: "function", function: { name: "now" } }] },
      { tools: [{ type: "function", function: { name: "now", parameters: { type: "object", properties: {} } } }] },
    ],
    [
      "xAI's stops for models that do not reason",
      48,
      { model: "grok-4-fast-non-reasoning", stop: ["a"], frequency_penalty: 1 },
      { model: "grok-4-fast-non-reasoning", stop: ["a"], frequency_penalty: 1 },
    ],
    [
      "xAI's effort from 4.3 on",
      48,
      { model: "grok-4.3", reasoning_effort: "high", stop: ["a"] },
      { model: "grok-4.3", reasoning_effort: "high" },
    ],
    ["xAI's effort not before", 48, { model: "grok-4-0709", reasoning_effort: "high" }, { model: "grok-4-0709" }],
    [
      "grok-3-mini's two efforts",
      48,
      { model: "grok-3-mini", reasoning_effort: "minimal" },
      { model: "grok-3-mini", reasoning_effort: "low" },
    ],
    ["Zhipu's stop as a list", 26, { stop: "END", temperature: 2 }, { stop: ["END"], temperature: 1 }],
    ["Zhipu's effort as a switch", 26, { reasoning_effort: "none" }, { thinking: { type: "disabled" } }],
    [
      "Zhipu's images as bare base64",
      26,
      { messages: [{ role: "user", content: [IMAGE] }] },
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "AAAA" } }] }] },
    ],
    [
      "Perplexity's roles alternating",
      27,
      {
        top_p: 1,
        messages: [
          { role: "user", content: "a" },
          { role: "user", content: [{ type: "text", text: "b" }] },
        ],
      },
      {
        top_p: 0.99,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "a" },
              { type: "text", text: "b" },
            ],
          },
        ],
      },
    ],
    [
      "SiliconFlow's switch for models that have it",
      40,
      { model: "Qwen/Qwen3-8B", reasoning_effort: "low" },
      { model: "Qwen/Qwen3-8B", enable_thinking: true },
    ],
    [
      "SiliconFlow's switch for no other",
      40,
      { model: "Qwen/Qwen2.5-7B-Instruct", reasoning_effort: "low" },
      { model: "Qwen/Qwen2.5-7B-Instruct" },
    ],
    ["DeepSeek's effort as a switch", 43, { reasoning_effort: "high" }, { thinking: { type: "enabled" } }],
    [
      "Volcengine's own switch kept",
      45,
      { reasoning_effort: "low", thinking: { type: "auto" } },
      { thinking: { type: "auto" } },
    ],
    [
      "Mistral's known fields only",
      42,
      { seed: 7, user: "u", logit_bias: {}, max_completion_tokens: 9, safe_prompt: true },
      { random_seed: 7, max_tokens: 9, safe_prompt: true },
    ],
    [
      "Mistral's images as URLs, ids of nine characters",
      42,
      {
        messages: [
          { role: "developer", content: "s" },
          { role: "user", content: [IMAGE], annotations: [] },
          { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function" }] },
          { role: "tool", tool_call_id: "call_1", content: "r" },
          { role: "tool", tool_call_id: "D681PevKs", content: "r" },
        ],
      },
      {
        messages: [
          { role: "system", content: "s" },
          { role: "user", content: [{ type: "image_url", image_url: IMAGE.image_url.url }] },
          { role: "assistant", content: null, tool_calls: [{ id: "74196fe72", type: "function" }] },
          { role: "tool", tool_call_id: "74196fe72", content: "r" },
          { role: "tool", tool_call_id: "D681PevKs", content: "r" },
        ],
      },
    ],
    [
      "Mistral's users not behind tools, its last assistant a prefix",
      42,
      {
        messages: [
          { role: "tool", tool_call_id: "D681PevKs", content: "r" },
          { role: "user", content: "and?" },
          { role: "assistant", content: "It is" },
        ],
      },
      {
        messages: [
          { role: "tool", tool_call_id: "D681PevKs", content: "r" },
          { role: "assistant", content: "OK." },
          { role: "user", content: "and?" },
          { role: "assistant", content: "It is", prefix: true },
        ],
      },
    ],
    ...[17, 19, 25, 26, 27, 40, 43, 45, 46].map((type): [string, number, Json, Json] => [
      "developers as the system",
      type,
      { messages: [{ role: "developer", content: "s" }] },
      { messages: [{ role: "system", content: "s" }] },
    ]),
    ...[26, 43].map((type): [string, number, Json, Json] => [
      "response schemas as instructions",
      type,
      {
        messages: [{ role: "user", content: "hi" }],
        response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } },
      },
      {
        messages: [
          { role: "system", content: expect.stringContaining('JSON schema: {"type":"object"}') },
          { role: "user", content: "hi" },
        ],
        response_format: { type: "json_object" },
      },
    ]),
    [
      "xAI's effort from the name",
      48,
      { model: "grok-3-mini-beta-high", max_tokens: 5, stop: ["a"], presence_penalty: 1 },
      { model: "grok-3-mini-beta", reasoning_effort: "high", max_completion_tokens: 5 },
    ],
    ["xAI's grok-4 without an effort", 48, { model: "grok-4", reasoning_effort: "low" }, { model: "grok-4" }],
  ])("is changed: %s", (_, type, sent, expected) => {
    const { model } = { model: "m", ...sent };
    expect(provider(type).adaptBody?.(sent, target(type, { model }))).toEqual(expected);
  });

  it.each([17, 22, 25, 26, 27, 31, 35, 39, 40, 42, 43, 45, 46])(
    "has the system role under the name that type %i uses",
    (type) => {
      const user = { role: "user", content: "hi" };
      const sent = { model: "m", messages: [{ role: "developer", content: "Be brief." }, user] };
      const written = { model: "m", messages: [{ role: "system", content: "Be brief." }, user] };
      expect(provider(type).adaptBody?.(sent, target(type))).toEqual(written);
    },
  );

  it("is changed the same way when converted from another format", () => {
    const { json } = provider(42).buildRequest({ ...REQUEST, seed: 3, user: "u" }, target(42));
    expect(json).toEqual({
      model: "m",
      stream: true,
      random_seed: 3,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" },
      ],
    });
  });
});

const streamOf = (type: number, chunks: readonly unknown[]): { parts: StreamPart[]; isComplete: boolean } => {
  const reader = provider(type).newStreamReader();
  const bytes = Buffer.from(
    chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join(""),
  );
  return { parts: readParts(reader, bytes), isComplete: reader.isComplete() };
};

const delta = (content: unknown, finish: string | null = null, more: object = {}): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  ...more,
});

const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const textOf = (parts: readonly StreamPart[]): string =>
  parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : [])).join("");

describe("streams", () => {
  it("of MiniMax does not repeat its text, and has the usage of the last chunk", () => {
    const { parts, isComplete } = streamOf(35, [
      delta("Hel", null, { usage: { total_tokens: 0 } }),
      delta("lo", "stop"),
      {
        object: "chat.completion",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello" } }],
        usage: USAGE,
        base_resp: { status_code: 0, status_msg: "" },
      },
    ]);
    expect(textOf(parts)).toBe("Hello");
    expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { promptTokens: 5, completionTokens: 2 } });
    expect(isComplete).toBe(true);
  });

  it("of Moonshot has its usage in the last choice", () => {
    const { parts } = streamOf(25, [
      delta("a"),
      { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: USAGE }] },
      "[DONE]",
    ]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 5, completionTokens: 2 } });
  });

  it.each([
    ["Moonshot's, reported at the top level", 25, { cached_tokens: 3 }, { cacheReadTokens: 3 }],
    [
      "Ali's, with what went into an explicit cache",
      17,
      {
        prompt_tokens_details: {
          cached_tokens: 1,
          cache_type: "ephemeral",
          cache_creation_input_tokens: 2,
          cache_creation: { ephemeral_5m_input_tokens: 2 },
        },
      },
      { cacheReadTokens: 1, cacheWriteTokens: 2 },
    ],
  ])("reports the cached tokens: %s", (_, type, told, read) => {
    const { parts } = streamOf(type, [delta("a", "stop", { usage: { ...USAGE, ...told } }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 5, completionTokens: 2, ...read } });
  });

  it("of FastGPT reports no meaningful usage", () => {
    const ones = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 };
    const { parts, isComplete } = streamOf(22, [delta("a"), delta("", "stop", { usage: ones }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", usage: undefined });
    expect(isComplete).toBe(true);
  });

  it("of Perplexity is complete with its finish reason, others only with the end mark", () => {
    const chunks = [delta("a", null, { usage: USAGE }), delta("", "stop", { usage: USAGE })];
    expect(streamOf(27, chunks).isComplete).toBe(true);
    expect(streamOf(40, chunks).isComplete).toBe(false);
  });

  it("of Mistral's reasoning models contains reasoning in the content", () => {
    const { parts } = streamOf(42, [
      delta([{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }]),
      delta([{ type: "text", text: "yes" }], "stop", { usage: USAGE }),
      "[DONE]",
    ]);
    expect(parts).toContainEqual({ type: "reasoning-delta", text: "hm" });
    expect(textOf(parts)).toBe("yes");
  });

  it("of Mistral's reasoning models is re-encoded for OpenAI callers, which do not support lists", () => {
    const rewrites = (model: string) => provider(42).forModel?.(model).responses?.rewritesResponses;
    expect([rewrites("magistral-medium-latest"), rewrites("mistral-large-latest")]).toEqual([true, undefined]);
  });

  it.each<[number, Json, string]>([
    [40, { code: 50501, message: "System is really busy", data: null }, "System is really busy"],
    [39, { success: false, errors: [{ code: 7009, message: "No route" }] }, "No route"],
    [47, { detail: "oops" }, "oops"],
  ])("of type %i fails on an event that contains only an error message: %j", (type, event, message) => {
    const failure = expect.objectContaining({ status: 502, upstream: expect.objectContaining({ message }) });
    expect(() => streamOf(type, [event, "[DONE]"])).toThrow(failure);
    expect(() => provider(type).parseResponse(event)).toThrow(failure);
  });

  it("of OpenRouter fails on an error within a choice", () => {
    const choice = { index: 0, finish_reason: "error", error: { code: 502, message: "no" }, message: { content: "" } };
    expect(() => provider(20).parseResponse({ choices: [choice] })).toThrow(expect.objectContaining({ status: 502 }));
  });

  it("counts as filtered if it finishes with sensitive", () => {
    const { parts } = streamOf(26, [delta("a", "sensitive", { usage: USAGE }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "content-filter" });
  });

  it.each(["model_length", "insufficient_system_resource", "error"])(
    "counts as cut off if it finishes with %s",
    (word) => {
      const { parts } = streamOf(42, [delta("a", word, { usage: USAGE }), "[DONE]"]);
      expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "length" });
    },
  );

  it("of Azure begins with a chunk without choices", () => {
    const { parts } = streamOf(3, [
      { id: "", model: "", choices: [], prompt_filter_results: [] },
      delta("a", "stop"),
      { choices: [], usage: USAGE },
      "[DONE]",
    ]);
    expect(parts.map(({ type }) => type)).toEqual(["start", "text-delta", "finish"]);
  });
});

describe("xAI usage", () => {
  it("adds the reasoning that the completion excludes", () => {
    const answer = provider(48).parseResponse({
      choices: [{ message: { content: "a" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 45 },
    });
    expect(answer.usage).toMatchObject({ promptTokens: 10, completionTokens: 35 });
  });
});

describe("provider failure", () => {
  it.each([
    [1002, 429],
    [1004, 401],
    [1008, 402],
    [2013, 400],
    [1001, 504],
  ])("of MiniMax with status 200 maps %i to %i", (code, status) => {
    const body = { choices: null, base_resp: { status_code: code, status_msg: "no" } };
    const read = (): unknown => provider(35).parseResponse(body);
    expect(read).toThrow(StreamFailure);
    expect(read).toThrow(expect.objectContaining({ status, upstream: expect.objectContaining({ message: "no" }) }));
    expect(() => streamOf(35, [body])).toThrow(expect.objectContaining({ status }));
  });

  it.each<[number, unknown, string]>([
    [39, { success: false, errors: [{ code: 7009, message: "No route" }] }, "No route"],
    [40, "Invalid token", "Invalid token"],
    [48, { code: "invalid-argument", error: "Model not found" }, "Model not found"],
    [20, { error: { code: 402, message: "Insufficient credits" } }, "Insufficient credits"],
    [42, { detail: [{ loc: ["body", "x"], msg: "Extra inputs are not permitted" }] }, "Extra inputs are not permitted"],
    [42, { object: "error", message: { detail: [{ msg: "bad role" }] } }, "bad role"],
    [38, "<html>", "bad response status code 400"],
  ])("of type %i in %j returns %s", (type, body, message) => {
    expect(provider(type === 38 ? 1 : type).parseError(400, body).message).toBe(message);
  });
});

describe("model list", () => {
  it.each<[number, Partial<Target>, string]>([
    [3, { baseUrl: "https://a.b" }, "https://a.b/openai/deployments?api-version=2023-03-15-preview"],
    [17, {}, "https://dashscope.aliyuncs.com/compatible-mode/v1/models"],
    [20, {}, "https://openrouter.ai/api/v1/models"],
    [
      39,
      { other: "acc" },
      "https://api.cloudflare.com/client/v4/accounts/acc/ai/models/search?per_page=1000&task=Text%20Generation",
    ],
    [43, {}, "https://api.deepseek.com/models"],
    [49, {}, "https://models.github.ai/catalog/models"],
  ])("of type %i with %j is at %s", (type, given, url) => {
    expect(provider(type).account?.modelList?.(target(type, given)).url).toBe(url);
  });

  it("is parsed in each provider's format", () => {
    expect(provider(39).account?.parseModelList?.({ result: [{ id: "uuid", name: "@cf/a/b" }] })).toEqual(["@cf/a/b"]);
    expect(provider(49).account?.parseModelList?.([{ id: "openai/gpt-4.1" }])).toEqual(["openai/gpt-4.1"]);
    expect(provider(3).account?.parseModelList?.({ data: [{ id: "my-deployment", model: "gpt-4o" }] })).toEqual([
      "my-deployment",
    ]);
  });

  it("is absent if the provider has none", () => {
    for (const type of [22, 27, 35]) expect(provider(type).account?.modelList).toBeUndefined();
  });
});

describe("provider balance", () => {
  const NOW_MS = Date.UTC(2026, 10, 21);
  const openAi = "https://api.openai.com/v1/dashboard/billing";
  const asked = [
    `${openAi}/subscription`,
    `${openAi}/usage?start_date=2026-08-13&end_date=2026-11-22`,
    `${openAi}/usage?start_date=2026-11-01&end_date=2026-11-22`,
  ];
  const used = [{ total_usage: 2550 }, { total_usage: 1050 }];
  it.each<[number, string[], unknown[], number]>([
    [1, asked, [{ hard_limit_usd: 100 }, ...used], 74.5],
    [1, asked, [{ hard_limit_usd: 100, has_payment_method: true }, ...used], 89.5],
    [20, ["https://openrouter.ai/api/v1/credits"], [{ data: { total_credits: 10, total_usage: 2.5 } }], 7.5],
    [25, ["https://api.moonshot.cn/v1/users/me/balance"], [{ data: { available_balance: 49.5 } }], 49.5],
    [40, ["https://api.siliconflow.cn/v1/user/info"], [{ code: 20000, data: { totalBalance: "88.00" } }], 88],
    [
      43,
      ["https://api.deepseek.com/user/balance"],
      [
        {
          balance_infos: [
            { currency: "USD", total_balance: "1" },
            { currency: "CNY", total_balance: "110.00" },
          ],
        },
      ],
      110,
    ],
    [
      43,
      ["https://api.deepseek.com/user/balance"],
      [
        {
          balance_infos: [
            { currency: "CNY", total_balance: "0.00" },
            { currency: "USD", total_balance: "5.50" },
          ],
        },
      ],
      5.5,
    ],
  ])("of type %i is parsed from %j", (type, urls, bodies, amount) => {
    const balance = provider(type).account?.balance;
    expect(balance?.places(target(type), NOW_MS).map(({ url }) => url)).toEqual(urls);
    expect(balance?.read(bodies)).toBe(amount);
    expect(() => balance?.read([{ error: "no" }, {}])).toThrow(StreamFailure);
  });
});
