import { NO_USAGE, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { CONTEXT, USAGE, type Event, events } from "./anthropic-fixtures.ts";

function write(parts: readonly StreamPart[]): Event[] {
  const writer = anthropicMessages.newStreamWriter(CONTEXT);
  return events(parts.map((part) => writer.write(part)).join(""));
}
/**
 * The violations in a stream that must have one start, blocks numbered from 0 that never overlap, one message_delta and
 * one stop; empty if the stream is valid.
 */
function faults(list: readonly Event[]): string[] {
  const found: string[] = [];
  const ends = [list[0], ...list.slice(-2)].map((event) => event?.type).join(" ");
  if (ends !== "message_start message_delta message_stop") found.push(`begins and ends with ${ends}`);
  let open: number | undefined;
  let next = 0;
  for (const { type, index } of list.slice(1, -2)) {
    const isStart = type === "content_block_start";
    if (isStart ? open !== undefined || index !== next++ : index !== open) found.push(`${type} ${index} out of place`);
    if (isStart) open = index;
    if (type === "content_block_stop") open = undefined;
  }
  return open === undefined ? found : [...found, `block ${open} is never closed`];
}

describe("Anthropic stream", () => {
  it("contains the complete event sequence", () => {
    const list = write([
      { type: "start", id: "msg_9", model: "m", usage: { ...USAGE, completionTokens: 1 } },
      { type: "reasoning-delta", text: "hm" },
      { type: "reasoning-signature", signature: "sig" },
      { type: "redacted-reasoning", data: "xyz" },
      { type: "text-delta", text: "Look" },
      { type: "text-delta", text: "ing." },
      { type: "tool-call-start", index: 0, id: "toolu_1", name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"a":' },
      { type: "tool-call-delta", index: 0, argumentsText: "1}" },
      { type: "tool-call-start", index: 1, id: "toolu_2", name: "g" },
      { type: "finish", reason: "tool-calls", usage: USAGE },
    ]);
    expect(faults(list)).toEqual([]);
    expect(list).toMatchInlineSnapshot(`
      [
        {
          "message": {
            "content": [],
            "id": "msg_9",
            "model": "claude-x",
            "role": "assistant",
            "stop_reason": null,
            "stop_sequence": null,
            "type": "message",
            "usage": {
              "cache_creation_input_tokens": 10,
              "cache_read_input_tokens": 40,
              "input_tokens": 50,
              "output_tokens": 1,
            },
          },
          "type": "message_start",
        },
        {
          "content_block": {
            "signature": "",
            "thinking": "",
            "type": "thinking",
          },
          "index": 0,
          "type": "content_block_start",
        },
        {
          "delta": {
            "thinking": "hm",
            "type": "thinking_delta",
          },
          "index": 0,
          "type": "content_block_delta",
        },
        {
          "delta": {
            "signature": "sig",
            "type": "signature_delta",
          },
          "index": 0,
          "type": "content_block_delta",
        },
        {
          "index": 0,
          "type": "content_block_stop",
        },
        {
          "content_block": {
            "data": "xyz",
            "type": "redacted_thinking",
          },
          "index": 1,
          "type": "content_block_start",
        },
        {
          "index": 1,
          "type": "content_block_stop",
        },
        {
          "content_block": {
            "text": "",
            "type": "text",
          },
          "index": 2,
          "type": "content_block_start",
        },
        {
          "delta": {
            "text": "Look",
            "type": "text_delta",
          },
          "index": 2,
          "type": "content_block_delta",
        },
        {
          "delta": {
            "text": "ing.",
            "type": "text_delta",
          },
          "index": 2,
          "type": "content_block_delta",
        },
        {
          "index": 2,
          "type": "content_block_stop",
        },
        {
          "content_block": {
            "id": "toolu_1",
            "input": {},
            "name": "f",
            "type": "tool_use",
          },
          "index": 3,
          "type": "content_block_start",
        },
        {
          "delta": {
            "partial_json": "{"a":",
            "type": "input_json_delta",
          },
          "index": 3,
          "type": "content_block_delta",
        },
        {
          "delta": {
            "partial_json": "1}",
            "type": "input_json_delta",
          },
          "index": 3,
          "type": "content_block_delta",
        },
        {
          "index": 3,
          "type": "content_block_stop",
        },
        {
          "content_block": {
            "id": "toolu_2",
            "input": {},
            "name": "g",
            "type": "tool_use",
          },
          "index": 4,
          "type": "content_block_start",
        },
        {
          "index": 4,
          "type": "content_block_stop",
        },
        {
          "delta": {
            "stop_reason": "tool_use",
            "stop_sequence": null,
          },
          "type": "message_delta",
          "usage": {
            "cache_creation_input_tokens": 10,
            "cache_read_input_tokens": 40,
            "input_tokens": 50,
            "output_tokens": 5,
          },
        },
        {
          "type": "message_stop",
        },
      ]
    `);
  });

  it("reports the input tokens at the end if they are not known earlier", () => {
    const list = write([
      { type: "start", id: "chatcmpl-1", model: "m" },
      { type: "text-delta", text: "hi" },
      { type: "finish", reason: "stop", usage: USAGE },
    ]);
    expect(faults(list)).toEqual([]);
    expect(list[0]).toMatchObject({ message: { id: "msg_req1", usage: { input_tokens: 0, output_tokens: 0 } } });
    expect(list.at(-2)).toMatchObject({
      usage: { input_tokens: 50, cache_read_input_tokens: 40, cache_creation_input_tokens: 10, output_tokens: 5 },
    });
  });

  it("reports how many output tokens were reasoning", () => {
    const [, delta] = write([{ type: "finish", reason: "stop", usage: { ...USAGE, reasoningTokens: 3 } }]);
    expect(delta).toMatchObject({ usage: { output_tokens: 5, output_tokens_details: { thinking_tokens: 3 } } });
  });

  it("names the stop sequence", () => {
    const list = write([{ type: "finish", reason: "stop-sequence", stopSequence: "END", usage: USAGE }]);
    expect(faults(list)).toEqual([]);
    expect(list.at(-2)).toMatchObject({ delta: { stop_reason: "stop_sequence", stop_sequence: "END" } });
  });

  it("serializes tool calls that upstream interleaves", () => {
    const list = write([
      { type: "start", id: "x", model: "m" },
      { type: "tool-call-start", index: 0, id: "a", name: "f" },
      { type: "tool-call-start", index: 1, id: "b", name: "g" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"x":' },
      { type: "tool-call-delta", index: 1, argumentsText: '{"y"' },
      { type: "tool-call-delta", index: 0, argumentsText: "1}" },
      { type: "tool-call-delta", index: 1, argumentsText: ":2}" },
      { type: "finish", reason: "tool-calls", usage: USAGE },
    ]);
    expect(faults(list)).toEqual([]);
    const json = (index: number) =>
      list
        .filter((event) => event.type === "content_block_delta" && event.index === index)
        .map((event) => (event["delta"] as { partial_json: string }).partial_json)
        .join("");
    expect([json(0), json(1)]).toEqual(['{"x":1}', '{"y":2}']);
  });

  it("starts a new thinking block after a signed one", () => {
    const list = write([
      { type: "reasoning-delta", text: "a" },
      { type: "reasoning-signature", signature: "s" },
      { type: "reasoning-delta", text: "b" },
      { type: "finish", reason: "stop", usage: USAGE },
    ]);
    expect(list.filter(({ type }) => type === "content_block_start")).toHaveLength(2);
  });

  it("is complete for an empty response", () => {
    expect(faults(write([{ type: "finish", reason: "stop", usage: undefined }]))).toEqual([]);
  });

  it("ends with an error event and no message_stop on failure", () => {
    const writer = anthropicMessages.newStreamWriter(CONTEXT);
    const [event] = events(writer.fail(new RelayError("stream_interrupted", "the stream was cut"), "req1"));
    expect(event).toEqual({
      type: "error",
      error: { type: "api_error", message: "the stream was cut (request id: req1)" },
      request_id: "req1",
    });
  });
});

describe("message_start of a stream", () => {
  it("estimates the prompt tokens until upstream reports them", () => {
    const begin = (usage?: TokenUsage) => {
      const writer = anthropicMessages.newStreamWriter({ ...CONTEXT, estimatePromptTokens: 12 });
      return writer.write({ type: "start", id: "", model: "m", ...(usage ? { usage } : {}) });
    };
    expect(begin()).toContain('"usage":{"input_tokens":12,"cache_creation_input_tokens":0');
    expect(begin({ ...NO_USAGE, promptTokens: 7 })).toContain('"usage":{"input_tokens":7,');
  });
});
