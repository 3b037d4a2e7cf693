import { describe, expect, it } from "vitest";
import { asObjects } from "../../core/chat/json.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import { targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";

const path = { model: "m", stream: false };
const user = { role: "user", content: "Weather?" };
const call = { type: "tool_use", id: "a", name: "f", input: {} };
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "sun" }] };
const reasoning = { type: "thinking", thinking: "I look.", signature: "" };
const byAnthropic = (...content: object[]) =>
  anthropicMessages.parseRequest({
    model: "m",
    max_tokens: 9,
    messages: [user, { role: "assistant", content }, result],
  });

const getAssistant = (type: number, request = byAnthropic(reasoning, call)): unknown => {
  const sent = findProvider(type)?.buildRequest(request, targetFor({ channelType: type, model: "m" }));
  return asObjects(sent?.json["messages"])[1]?.["reasoning_content"];
};

describe("reasoning of a call whose results follow", () => {
  it.each([
    [43, "I look.", ""],
    [25, "I look.", undefined],
    [1, undefined, undefined],
    [40, undefined, undefined],
  ])("is returned to providers that refuse the call without it: type %i", (type, reasoningItems, none) => {
    expect(getAssistant(type)).toBe(reasoningItems);
    expect(getAssistant(type, byAnthropic(call))).toBe(none);
  });

  it("is returned from responses input too", () => {
    const input = [
      user,
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "I look." }] },
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "sun" },
    ];
    expect(getAssistant(43, openAiResponses.parseRequest({ model: "m", input }, path))).toBe("I look.");
  });
});
