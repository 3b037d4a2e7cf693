import { describe, expect, it } from "vitest";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { asObjects } from "../../core/chat/json.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { targetFor } from "../shared/fixtures.ts";
import { getStream, provider } from "./fixtures.ts";

const OPENROUTER = 20;
const PATH = { model: "m", stream: false };
const DETAIL = { type: "reasoning.encrypted", data: "c2VhbGVk", id: "tool_1", format: "google-gemini-v1", index: 0 };
const CALL = { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } };
const INCLUDE = { include: ["reasoning.encrypted_content"] };

const { parts } = provider(OPENROUTER).parseResponse({
  choices: [
    {
      message: { content: null, reasoning: "Read first.", reasoning_details: [DETAIL], tool_calls: [CALL] },
      finish_reason: "tool_calls",
    },
  ],
});

/** What a dialect's caller receives for a response. */
const write = (dialect: Dialect): Json => {
  const context = { requestId: "r", model: "m", includeUsage: false, createdAtSeconds: 1, requested: INCLUDE };
  const response = { id: "", model: "", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: undefined };
  return dialect.writeResponse({ ...response, parts }, context) as Json;
};
const build = (type: number, request: ChatRequest, model: string): Json =>
  provider(type).buildRequest(request, targetFor({ channelType: type, model })).json;

/** The call that continues from the response, as each dialect's clients send it. */
const CONTINUED: readonly (readonly [string, () => ChatRequest])[] = [
  [
    "messages",
    () => {
      const result = { type: "tool_result", tool_use_id: "call_1", content: "found" };
      const messages = [
        { role: "user", content: "hi" },
        { role: "assistant", content: write(anthropicMessages)["content"] },
        { role: "user", content: [result] },
      ];
      return anthropicMessages.parseRequest({ model: "m", max_tokens: 9, messages });
    },
  ],
  [
    "responses",
    () => {
      const output = { type: "function_call_output", call_id: "call_1", output: "found" };
      const input = [{ role: "user", content: "hi" }, ...asObjects(write(openAiResponses)["output"]), output];
      return openAiResponses.parseRequest({ model: "m", input }, PATH);
    },
  ],
  [
    "chat",
    () => {
      const message = asObjects(write(openAiChat)["choices"])[0]?.["message"];
      const messages = [
        { role: "user", content: "hi" },
        message,
        { role: "tool", tool_call_id: "call_1", content: "found" },
      ];
      return openAiChat.parseRequest({ model: "m", messages });
    },
  ],
  [
    "Gemini",
    () => {
      const content = asObjects(write(geminiGenerate)["candidates"])[0]?.["content"];
      const result = { functionResponse: { name: "read", response: { result: "found" } } };
      const contents = [{ role: "user", parts: [{ text: "hi" }] }, content, { role: "user", parts: [result] }];
      return geminiGenerate.parseRequest({ contents }, PATH);
    },
  ],
];

describe("reasoning that a model on OpenRouter encrypted", () => {
  it.each(CONTINUED)("goes back to it as it came from a caller of %s", (_, parse) => {
    const { messages } = build(OPENROUTER, parse(), "google/gemini-3-pro");
    expect(asObjects(messages)[1]).toMatchObject({ reasoning_details: [DETAIL] });
  });

  it.each(CONTINUED)("stays out for other providers from a caller of %s", (_, parse) => {
    for (const [type, model] of [
      [1, "gpt-4.1"],
      [14, "claude-sonnet-4-5"],
      [24, "gemini-2.5-pro"],
      [OPENROUTER, "anthropic/claude-sonnet-4.5"],
    ] as const)
      expect(JSON.stringify(build(type, parse(), model))).not.toMatch(/turnpike|dHVybnBpa2U6|c2VhbGVk|encrypted/);
  });

  it("is read from a stream", () => {
    const chunk = (delta: Json): Json => ({ id: "c", model: "m", choices: [{ index: 0, delta }] });
    const stream = getStream(OPENROUTER, [chunk({ reasoning_details: [DETAIL] }), chunk({ tool_calls: [CALL] })]);
    expect(stream.parts[1]).toEqual(parts[1]);
  });
});
