import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { targetFor } from "../shared/fixtures.ts";
import { OPENAI_COMPATIBLE } from "./openai-compatible.ts";
import type { Target } from "../contract/target.ts";
import { provider, REQUEST } from "./fixtures.ts";

const target = (type: number, given: Partial<Target> = {}): Target =>
  targetFor({ channelType: type, model: "m", ...given });
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
    ["Ali's effort without a setting", 17, { reasoning_effort: null }, {}],
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
