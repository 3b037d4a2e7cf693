import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { asObjects } from "../../core/chat/json.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { targetFor } from "../shared/fixtures.ts";
import type { Target } from "../contract/target.ts";
import { getStream, provider } from "./fixtures.ts";

const PATH = { model: "m", stream: false };
const MARK = { type: "ephemeral" };
const HOUR = { type: "ephemeral", ttl: "1h" };
const TYPES = { openAi: 1, custom: 8, ali: 17, openRouter: 20, moonshot: 25, siliconFlow: 40, deepSeek: 43 };

const build = (type: number, body: Json, given: Partial<Target> = {}): Json => {
  const request = anthropicMessages.parseRequest({ model: "m", max_tokens: 9, ...body });
  return provider(type).buildRequest(request, targetFor({ channelType: type, model: "m", ...given })).json;
};

const text = (value: string, mark?: Json): Json => ({
  type: "text",
  text: value,
  ...(mark && { cache_control: mark }),
});
const CALL = { type: "tool_use", id: "t1", name: "read", input: {} };
const WRITTEN_CALL = { id: "t1", type: "function", function: { name: "read", arguments: "{}" } };

describe("cache breakpoints of a messages call", () => {
  /** What Claude Code sends: marks on the system prompt and on the end of the conversation. */
  const BODY = {
    system: [text("Be brief."), text("You are an agent.", HOUR)],
    tools: [{ name: "read", input_schema: { type: "object", properties: {} }, cache_control: HOUR }],
    messages: [
      { role: "user", content: "hi" },
      { role: "assistant", content: [text("Reading.", MARK), CALL] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", content: "found", cache_control: HOUR },
          text("Go on.", MARK),
        ],
      },
    ],
  };
  const marked = (mark: Json): Json[] => [
    { role: "system", content: [text("Be brief."), text("You are an agent.", mark)] },
    { role: "user", content: "hi" },
    { role: "assistant", content: [text("Reading.", MARK)], tool_calls: [WRITTEN_CALL] },
    { role: "tool", tool_call_id: "t1", content: [text("found", mark)] },
    { role: "user", content: [text("Go on.", MARK)] },
  ];

  it.each([
    ["OpenRouter", TYPES.openRouter, ""],
    ["OpenRouter behind a custom URL", TYPES.custom, "https://openrouter.ai/api/v1/chat/completions"],
    ["OpenRouter behind a channel for OpenAI", TYPES.openAi, "https://openrouter.ai/api"],
  ])("stay where they are towards %s, in tools too", (_, type, baseUrl) => {
    const { messages, tools } = build(type, BODY, { baseUrl });
    expect(messages).toEqual(marked(HOUR));
    expect(asObjects(tools)[0]).toMatchObject({ cache_control: HOUR });
  });

  it.each([
    ["Model Studio", TYPES.ali, ""],
    ["Model Studio behind a custom URL", TYPES.custom, "https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat"],
  ])("stay in texts towards %s, without lifetimes", (_, type, baseUrl) => {
    const { messages, tools } = build(type, BODY, { baseUrl });
    expect(messages).toEqual(marked(MARK));
    expect(asObjects(tools)[0]).not.toHaveProperty("cache_control");
  });

  it.each([
    ["OpenAI", TYPES.openAi, ""],
    ["another custom URL", TYPES.custom, "https://notopenrouter.ai.example/v1/chat"],
    ["SiliconFlow", TYPES.siliconFlow, ""],
  ])("stay out towards %s, whose texts remain strings", (_, type, baseUrl) => {
    const { messages, tools } = build(type, BODY, { baseUrl });
    expect(JSON.stringify([messages, tools])).not.toContain("cache_control");
    expect(asObjects(messages).map(({ content }) => content)).toEqual([
      "Be brief.\n\nYou are an agent.",
      "hi",
      "Reading.",
      "found",
      "Go on.",
    ]);
  });

  it("follow the last part if the call requests one as a whole, unless that has its own", () => {
    const body = { cache_control: HOUR, messages: [{ role: "user", content: [text("a"), text("b")] }] };
    expect(build(TYPES.openRouter, body)["messages"]).toEqual([
      { role: "user", content: [text("a"), text("b", HOUR)] },
    ]);
    const own = { ...body, messages: [{ role: "user", content: [text("a", MARK)] }] };
    expect(build(TYPES.openRouter, own)["messages"]).toEqual([{ role: "user", content: [text("a", MARK)] }]);
  });
});

/** The assistant turn of a conversation that continues from the result of its call. */
const sendBack = (type: number, content: readonly Json[], given: Partial<Target> = {}): Json => {
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [...content, CALL] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "found" }] },
  ];
  const {
    role: _role,
    content: _content,
    tool_calls: _calls,
    ...added
  } = asObjects(build(type, { messages }, given)["messages"])[1] ?? {};
  return added;
};

describe("reasoning before a call, as a messages caller sends it back", () => {
  const UNSIGNED = { type: "thinking", thinking: "Read first.", signature: "" };
  const SIGNED = { type: "thinking", thinking: "Read first.", signature: "c2ln" };
  const SEALED = { type: "redacted_thinking", data: "c2VhbGVk" };
  const AS_TEXT = { reasoning_content: "Read first." };
  const AS_DETAILS = {
    reasoning: "Read first.",
    reasoning_details: [{ type: "reasoning.text", text: "Read first.", format: "unknown", index: 0 }],
  };

  it.each<[string, { type: number; model: string; baseUrl?: string; expected: Json }]>([
    ["OpenRouter", { type: TYPES.openRouter, model: "deepseek/deepseek-v4-pro", expected: AS_DETAILS }],
    [
      "OpenRouter behind a custom URL",
      { type: TYPES.custom, model: "z-ai/glm-5", baseUrl: "https://openrouter.ai/api/v1/x", expected: AS_DETAILS },
    ],
    [
      "DeepSeek behind a custom URL",
      {
        type: TYPES.custom,
        model: "deepseek-v4-flash",
        baseUrl: "https://host/v1/chat/completions",
        expected: AS_TEXT,
      },
    ],
    [
      "DeepSeek behind a channel for OpenAI",
      { type: TYPES.openAi, model: "deepseek-reasoner", baseUrl: "https://host", expected: AS_TEXT },
    ],
    ["DeepSeek on SiliconFlow", { type: TYPES.siliconFlow, model: "deepseek-ai/DeepSeek-V3.2", expected: AS_TEXT }],
    [
      "Kimi behind a custom URL",
      { type: TYPES.custom, model: "kimi-k2.5", baseUrl: "https://host/v1/chat/completions", expected: AS_TEXT },
    ],
    ["DeepSeek itself", { type: TYPES.deepSeek, model: "deepseek-chat", expected: AS_TEXT }],
  ])("reaches %s", (_, { type, expected, ...target }) => {
    expect(sendBack(type, [UNSIGNED], target)).toEqual(expected);
  });

  it("reaches Claude on OpenRouter only with Claude's signature", () => {
    const target = { model: "anthropic/claude-sonnet-4.5" };
    const format = "anthropic-claude-v1";
    expect(sendBack(TYPES.openRouter, [UNSIGNED], target)).toEqual({});
    expect(sendBack(TYPES.openRouter, [SIGNED, SEALED], target)).toEqual({
      reasoning_details: [
        { type: "reasoning.text", text: "Read first.", signature: "c2ln", format, index: 0 },
        { type: "reasoning.encrypted", data: "c2VhbGVk", format, index: 1 },
      ],
    });
  });

  it.each([
    ["gpt-4.1", TYPES.openAi],
    ["llama-4", TYPES.custom],
    ["deepseek-r1-distill-llama-70b", TYPES.custom],
  ])("stays out for %s, which refuses it", (model, type) => {
    expect(sendBack(type, [UNSIGNED], { model, baseUrl: "https://host" })).toEqual({});
  });

  it("is empty for a turn of DeepSeek's with calls once another turn has reasoning, and absent if none has", () => {
    const target = { model: "deepseek-v4-pro", baseUrl: "https://host/v1/chat/completions" };
    expect(sendBack(TYPES.custom, [], target)).toEqual({});
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", content: [UNSIGNED, CALL] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a" }] },
      { role: "assistant", content: [{ ...CALL, id: "t2" }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t2", content: "b" }] },
      { role: "assistant", content: "done" },
      { role: "user", content: "thanks" },
    ];
    const sent = asObjects(build(TYPES.custom, { messages }, target)["messages"]);
    expect(sent.filter(({ role }) => role === "assistant").map((turn) => turn["reasoning_content"])).toEqual([
      "Read first.",
      "",
      undefined,
    ]);
  });

  it("reaches DeepSeek from a responses caller too", () => {
    const input = [
      { role: "user", content: "hi" },
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Read first." }] },
      { type: "function_call", call_id: "c1", name: "read", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "found" },
    ];
    const request = openAiResponses.parseRequest({ model: "m", input }, PATH);
    const target = targetFor({ channelType: TYPES.openAi, model: "deepseek-v4-pro", baseUrl: "https://host" });
    const { messages } = provider(TYPES.openAi).buildRequest(request, target).json;
    expect(asObjects(messages)[1]).toMatchObject(AS_TEXT);
  });
});

describe("reasoning that Claude signed on OpenRouter", () => {
  const FORMAT = "anthropic-claude-v1";
  const chunk = (delta: Json): Json => ({ id: "c", model: "m", choices: [{ index: 0, delta }] });

  it("keeps its signature in a response", () => {
    const message = {
      role: "assistant",
      content: "a",
      reasoning: "Read first.",
      reasoning_details: [
        { type: "reasoning.text", text: "Read first.", signature: "c2ln", format: FORMAT, index: 0 },
        { type: "reasoning.encrypted", data: "c2VhbGVk", format: FORMAT, index: 1 },
      ],
    };
    const { parts } = provider(TYPES.openRouter).parseResponse({ choices: [{ message, finish_reason: "stop" }] });
    expect(parts).toEqual([
      { type: "reasoning", text: "Read first.", signature: "c2ln" },
      { type: "redacted-reasoning", data: "c2VhbGVk" },
      { type: "text", text: "a" },
    ]);
  });

  it("keeps its signature in a stream", () => {
    const detail = { type: "reasoning.text", format: FORMAT, index: 0 };
    const { parts } = getStream(TYPES.openRouter, [
      chunk({ reasoning: "Read ", reasoning_details: [{ ...detail, text: "Read " }] }),
      chunk({ reasoning: "first.", reasoning_details: [{ ...detail, text: "first." }] }),
      chunk({ reasoning_details: [{ ...detail, signature: "c2ln" }] }),
      chunk({ content: "a" }),
    ]);
    expect(parts.slice(1, -1)).toEqual([
      { type: "reasoning-delta", text: "Read " },
      { type: "reasoning-delta", text: "first." },
      { type: "reasoning-signature", signature: "c2ln" },
      { type: "text-delta", text: "a" },
    ]);
  });
});
