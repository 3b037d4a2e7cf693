import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { getOwnField } from "./responses-request.ts";

const patch = {
  type: "custom",
  name: "apply_patch",
  description: "Edits files.",
  format: { type: "grammar", syntax: "lark", definition: 'start: "x"' },
};
const plain = { type: "function", name: "plain", parameters: {} };
const requested = { tools: [patch, plain] };
const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1, requested };
const parse = (body: Json) =>
  openAiResponses.parseRequest({ model: "m", ...requested, ...body }, { model: "m", stream: false });
const TEXT = '*** Begin Patch\n"quoted"';
const argumentsText = JSON.stringify({ input: TEXT });

describe("custom tool through chat", () => {
  it("becomes a function with one text argument, its grammar as an instruction; earlier calls and results are kept", () => {
    const call = { type: "custom_tool_call", call_id: "a", name: "apply_patch", input: TEXT };
    const result = { type: "custom_tool_call_output", call_id: "a", output: "done" };
    const input = [{ role: "user", content: "x" }, call, result];
    const request = parse({ input, tool_choice: { type: "custom", name: "apply_patch" } });
    expect(request.tools?.[0]).toMatchObject({
      name: "apply_patch",
      description: 'Edits files.\n\nThe input must follow this grammar (lark):\nstart: "x"',
      parameters: { properties: { input: { type: "string" } }, required: ["input"] },
    });
    expect(request.toolChoice).toEqual({ type: "tool", name: "apply_patch" });
    expect(request.messages.slice(1)).toMatchObject([
      { role: "assistant", parts: [{ type: "tool-call", id: "a", name: "apply_patch", argumentsText }] },
      { role: "user", parts: [{ type: "tool-result", id: "a", parts: [{ text: "done" }] }] },
    ]);
    expect(getOwnField(requested)).toBeUndefined();
    expect(openAiResponses.endpoint?.isPartialOverChat?.(requested)).toBe(true);
  });

  it("is called with empty text if the model sends none", () => {
    const writer = openAiResponses.newStreamWriter(context);
    writer.write({ type: "tool-call-start", index: 0, id: "a", name: "apply_patch" });
    const end = writer.write({ type: "finish", reason: "tool-calls", usage: undefined });
    expect(end).not.toContain('"input":"{}"');
    expect(end.split('"input":""')).toHaveLength(4);
  });

  it("is called with the plain text in a non-streaming response", () => {
    const parts = ["apply_patch", "plain"].map((name) => ({
      type: "tool-call" as const,
      id: name,
      name,
      argumentsText,
    }));
    const response = { id: "", model: "", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: undefined };
    expect(openAiResponses.writeResponse({ ...response, parts }, context)).toMatchObject({
      output: [
        { type: "custom_tool_call", call_id: "apply_patch", name: "apply_patch", input: TEXT },
        { type: "function_call", call_id: "plain", name: "plain", arguments: argumentsText },
      ],
    });
  });

  it("is called with the plain text in a stream", () => {
    const parts: StreamPart[] = [
      { type: "tool-call-start", index: 0, id: "a", name: "apply_patch" },
      { type: "tool-call-delta", index: 0, argumentsText: argumentsText.slice(0, 9) },
      { type: "tool-call-delta", index: 0, argumentsText: argumentsText.slice(9) },
      { type: "finish", reason: "tool-calls", usage: undefined },
    ];
    const writer = openAiResponses.newStreamWriter(context);
    const frames = parts
      .map((part) => writer.write(part))
      .join("")
      .trim()
      .split("\n\n");
    const events = frames.map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Json);
    expect(events).toMatchObject([
      { type: "response.output_item.added", item: { type: "custom_tool_call", name: "apply_patch", input: "" } },
      { type: "response.custom_tool_call_input.delta", delta: TEXT },
      { type: "response.custom_tool_call_input.done", input: TEXT },
      { type: "response.output_item.done", item: { call_id: "a", input: TEXT } },
      { type: "response.completed", response: { output: [{ type: "custom_tool_call", input: TEXT }] } },
    ]);
  });
});
