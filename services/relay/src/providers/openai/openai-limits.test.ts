import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../core/chat/chat.ts";
import { targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";

const request: ChatRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
};
const build = (fields: Partial<ChatRequest>) =>
  findProvider(1)?.buildRequest({ ...request, ...fields }, targetFor({ channelType: 1, model: "gpt-4o" })).json;

describe("value with a length limit at OpenAI", () => {
  it("is the user: a longer one, such as Claude Code's, is replaced by its digest", () => {
    const user = JSON.stringify({ device_id: "d".repeat(64), session_id: "s" });
    expect(build({ user: "u1" })).toMatchObject({ user: "u1" });
    expect(build({ user })).toMatchObject({ user: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(build({ user })).toEqual(build({ user }));
  });

  it("is a call id, which must still match its result", () => {
    const id = `toolu_${"x".repeat(60)}`;
    const messages: ChatRequest["messages"] = [
      {
        role: "assistant",
        parts: [id, "call_1"].map((own) => ({ type: "tool-call", id: own, name: "f", argumentsText: "" })),
      },
      { role: "user", parts: [{ type: "tool-result", id, parts: [{ type: "text", text: "sun" }] }] },
    ];
    const { messages: sent } = build({ messages }) as {
      messages: [{ tool_calls: { id: string }[] }, { tool_call_id: string }];
    };
    expect(sent[0].tool_calls[0]?.id).toMatch(/^call_[0-9a-f]{32}$/);
    expect(sent[0].tool_calls[1]?.id).toBe("call_1");
    expect(sent[1].tool_call_id).toBe(sent[0].tool_calls[0]?.id);
  });
});
