import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { describe, expect, it } from "vitest";
import type { ChatResponse, FinishReason, Json } from "../../core/chat/chat.ts";
import { getText } from "../../core/chat/messages.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

const removal = { type: "tool_removal", tool: { type: "tool_reference", name: "clock" } };
const requested: Json = {
  model: "m",
  max_tokens: 64_000,
  system: "Be brief.",
  compaction: { type: "summarize" },
  tools: [{ name: "clock", input_schema: { type: "object" } }],
  tool_choice: { type: "any" },
  thinking: { type: "enabled", budget_tokens: 2048 },
  messages: [
    { role: "user", content: "What time is it?" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "clock", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "noon" }, removal] },
  ],
};
const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1, requested };
const respond = (text: string, finishReason: FinishReason = "stop"): ChatResponse => ({
  id: "x",
  model: "m",
  createdAtSeconds: 0,
  parts: [{ type: "text", text }],
  finishReason,
  usage: { ...NO_USAGE, promptTokens: 9, completionTokens: 3 },
});

describe("summary of a conversation", () => {
  it("is requested of the model in place of a response, without tools and thinking", () => {
    const request = anthropicMessages.parseRequest(requested);
    expect(getText(request.system)).toMatch(/^You compact conversations/);
    expect(request).not.toHaveProperty("tools");
    expect(request).not.toHaveProperty("toolChoice");
    expect(request).not.toHaveProperty("reasoning");
    expect(request.maxOutputTokens).toBe(8192);
    const texts = request.messages.flatMap(({ parts }) => getText(parts, "|"));
    expect(texts[0]).toBe("[Instructions of the conversation]\nBe brief.|What time is it?");
    expect(texts.at(-1)).toMatch(/\[Result of the tool clock\]\|noon\|Compact the conversation above/);
  });

  it("follows the caller's own instructions", () => {
    const own = { ...requested, compaction: { type: "summarize", instructions: "Keep names." } };
    expect(getText(anthropicMessages.parseRequest(own).system)).toBe("Keep names.");
    const blank = { ...requested, compaction: { type: "summarize", instructions: "  " } };
    expect(getText(anthropicMessages.parseRequest(blank).system)).toMatch(/^You compact conversations/);
  });

  it("is the only block of the response, with the changes of tools, and is read again", () => {
    const written = anthropicMessages.writeResponse(respond("It was noon."), context) as { content: Json[] };
    const block = { type: "compaction", content: "It was noon.", encrypted_content: null, tool_changes: [removal] };
    expect(written).toMatchObject({ content: [block], stop_reason: "compaction", usage: { output_tokens: 3 } });
    const next = anthropicMessages.parseRequest({
      ...requested,
      compaction: null,
      tool_choice: undefined,
      messages: [{ role: "user", content: [...written.content, { type: "text", text: "And now?" }] }],
    });
    expect(getText(next.messages[0]?.parts ?? [], "|")).toBe("It was noon.|And now?");
    expect(next.tools).toBeUndefined();
  });

  it("reports that it was cut, and is an error where there is none", () => {
    expect(anthropicMessages.writeResponse(respond("It was", "length"), context)).toMatchObject({
      content: [{ content: "It was\n[The summary was cut here.]" }],
    });
    expect(() => anthropicMessages.writeResponse(respond(" "), context)).toThrow("returned no summary");
  });

  it("is streamed as one block, and as an error where there is none", () => {
    const stream = (...texts: readonly string[]) => {
      const writer = anthropicMessages.newStreamWriter(context);
      const parts = [
        writer.write({ type: "start", id: "x", model: "m" }),
        ...texts.map((text) => writer.write({ type: "text-delta", text })),
        writer.write({ type: "finish", reason: "stop", usage: NO_USAGE }),
      ];
      const lines = parts.join("").split("\n");
      return lines.flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6)) as Json] : []));
    };
    expect(stream("It was ", "noon.")).toMatchObject([
      { type: "message_start" },
      { type: "content_block_start", content_block: { type: "compaction", content: null, tool_changes: [removal] } },
      { type: "content_block_delta", delta: { type: "compaction_delta", content: "It was noon." } },
      { type: "content_block_stop" },
      { type: "message_delta", delta: { stop_reason: "compaction" } },
      { type: "message_stop" },
    ]);
    expect(stream().map(({ type }) => type)).toEqual(["message_start", "error"]);
  });
});
