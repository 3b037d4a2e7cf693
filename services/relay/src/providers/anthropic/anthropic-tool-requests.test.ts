import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/chat/chat.ts";
import { build, text } from "./anthropic-fixtures.ts";

describe("tools of an Anthropic request", () => {
  it("has no block for an assistant's null content next to tool calls", () => {
    const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
    const messages: ChatMessage[] = [
      text("user", "a"),
      { role: "assistant", parts: [{ type: "text", text: "" }, call] },
    ];
    expect(build({ messages })["messages"]).toMatchObject([{}, { content: [{ type: "tool_use", input: {} }] }]);
  });

  it.each([
    [{ type: "auto" }, undefined, { type: "auto" }],
    [{ type: "required" }, false, { type: "any", disable_parallel_tool_use: true }],
    [{ type: "tool", name: "f" }, undefined, { type: "tool", name: "f" }],
    [{ type: "none" }, false, { type: "none" }],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [undefined, undefined, undefined],
  ] as const)("maps the tool choice %j with parallel calls %j", (toolChoice, parallelToolCalls, expected) => {
    const body = build({
      tools: [{ name: "f", parameters: {} }],
      ...(toolChoice ? { toolChoice } : {}),
      ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }),
    });
    expect(body["tool_choice"]).toEqual(expected);
  });

  it("defines the tools of the conversation if the call has none of its own", () => {
    const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
    expect(build({ messages: [{ role: "assistant", parts: [call] }] })).toMatchObject({
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    });
  });
});
