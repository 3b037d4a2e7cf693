import { describe, expect, it } from "vitest";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { targetFor } from "../shared/fixtures.ts";
import { anthropic } from "./anthropic.ts";

const build = (model: string, fields: Partial<ChatRequest>): Json => {
  const messages: ChatRequest["messages"] = [{ role: "user", parts: [{ type: "text", text: "hi" }] }];
  const request = { model, system: [], messages, stream: false, includeUsage: false, ...fields };
  return anthropic.buildRequest(request, targetFor({ channelType: 14, model })).json;
};

const SUFFIXED = "claude-3-7-sonnet-20250219-thinking";

describe("a caller's token limit", () => {
  it.each<[string, ChatRequest["reasoning"], number, Json]>([
    ["claude-sonnet-4-5", { effort: "high" }, 500, {}],
    ["claude-sonnet-4-5", { effort: "low" }, 1024, {}],
    ["claude-sonnet-4-5", { budgetTokens: 2000 }, 1279, {}],
    ["claude-sonnet-4-5", {}, 20, {}],
    ["claude-sonnet-4-5", { effort: "high" }, 1280, { thinking: { type: "enabled", budget_tokens: 1024 } }],
    [SUFFIXED, undefined, 10, {}],
    [
      "claude-opus-4-6",
      { budgetTokens: 2000 },
      500,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
    ],
    ["claude-opus-4-8-thinking", undefined, 10, { thinking: { type: "adaptive", display: "summarized" } }],
  ])("of %s with the reasoning %j holds at %j", (model, reasoning, maxOutputTokens, expected) => {
    const { max_tokens, thinking, output_config } = build(model, {
      maxOutputTokens,
      ...(reasoning && { reasoning }),
    });
    expect({ max_tokens, thinking, output_config }).toEqual({ max_tokens: maxOutputTokens, ...expected });
  });

  it("holds in the caller's own messages body, whose other fields stay", () => {
    const body = { model: SUFFIXED, max_tokens: 10, temperature: 0.2, messages: [{ role: "user", content: "hi" }] };
    expect(anthropic.adaptBody?.(body, targetFor({ channelType: 14, model: SUFFIXED }))).toEqual({
      ...body,
      model: "claude-3-7-sonnet-20250219",
    });
  });
});
