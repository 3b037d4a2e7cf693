import { describe, expect, it } from "vitest";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { bedrock } from "../bedrock/bedrock.ts";
import { targetFor } from "../shared/fixtures.ts";
import { anthropic } from "./anthropic.ts";
import { newAnthropicStreamReader } from "../formats/anthropic/anthropic-stream-reader.ts";

const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const requested: ChatRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "where?" }] }],
  stream: false,
  includeUsage: false,
  responseFormat: { type: "json-schema", name: "place", schema },
};
const bodyFor = (model: string, request: ChatRequest = requested): Json =>
  anthropic.buildRequest(request, targetFor({ channelType: 14, model })).json;

describe("response with a schema", () => {
  it("is a forced tool for models without schema support, on Bedrock too", () => {
    const forced = {
      tools: [{ name: "answer_in_json", input_schema: schema }],
      tool_choice: { type: "tool", name: "answer_in_json" },
    };
    expect(bodyFor("claude-3-5-sonnet-20241022")).toMatchObject(forced);
    expect(bodyFor("claude-3-5-sonnet-20241022")["system"]).toBeUndefined();
    const target = targetFor({ channelType: 33, model: "claude-3-5-haiku-20241022", key: "a|b|us-east-1" });
    expect(bedrock.buildRequest(requested, target).json).toMatchObject(forced);
  });

  it("is requested by an instruction if it is not an object", () => {
    const list = { type: "array", items: { type: "string" } };
    const body = bodyFor("claude-3-5-sonnet-20241022", {
      ...requested,
      responseFormat: { type: "json-schema", name: "l", schema: list },
    });
    expect(body["tools"]).toBeUndefined();
    expect(body["system"]).toMatch(/one JSON value.*"array"/);
  });

  it("is the documented field for models that support it", () => {
    const body = bodyFor("claude-sonnet-4-5-20250929");
    expect(body).toMatchObject({ output_config: { format: { type: "json_schema" } } });
    expect(body["tools"]).toBeUndefined();
  });

  it("is requested by an instruction with other tools, and while the model reasons", () => {
    const tools = [{ name: "look", parameters: {} }];
    const extra = bodyFor("claude-3-5-sonnet-20241022", { ...requested, tools });
    expect(extra["tools"]).toMatchObject([{ name: "look" }]);
    expect(extra["system"]).toContain("city");
    const thinking = bodyFor("claude-3-7-sonnet-20250219-thinking");
    expect(thinking["tools"]).toBeUndefined();
    expect(thinking["system"]).toContain("city");
  });

  it("is returned as text with a normal finish", () => {
    const content = [{ type: "tool_use", id: "t1", name: "answer_in_json", input: { city: "Zug" } }];
    const usage = { input_tokens: 3, output_tokens: 2 };
    const response = anthropic.parseResponse({ id: "m1", content, stop_reason: "tool_use", usage });
    expect(response).toMatchObject({ parts: [{ type: "text", text: '{"city":"Zug"}' }], finishReason: "stop" });
  });

  it("is streamed as text, chunk by chunk", () => {
    const reader = newAnthropicStreamReader();
    const events = [
      { type: "message_start", message: { id: "m1", usage: { input_tokens: 3, output_tokens: 1 } } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t1", name: "answer_in_json", input: {} },
      },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"city":' } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '"Zug"}' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 2 } },
      { type: "message_stop" },
    ];
    const parts = events.flatMap((event) => reader.read({ event: undefined, data: JSON.stringify(event) }));
    expect(parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : []))).toEqual(['{"city":', '"Zug"}']);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
    expect(parts.some(({ type }) => type === "tool-call-start")).toBe(false);
  });
});
