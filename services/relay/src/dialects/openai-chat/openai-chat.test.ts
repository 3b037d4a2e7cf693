import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { openAiChat } from "./openai-chat.ts";

const CONTEXT: ResponseContext = {
  requestId: "req1",
  model: "gpt-4o",
  includeUsage: false,
  createdAtSeconds: 1_700_000_000,
};

const USAGE = { promptTokens: 10, completionTokens: 5, cacheReadTokens: 4, cacheWriteTokens: 0, reasoningTokens: 2 };

const FUNCTIONS = { functions: [{ name: "f" }] };

describe("OpenAI response", () => {
  it("carries text, reasoning, tool calls and usage with its details", () => {
    const response = openAiChat.writeResponse(
      {
        id: "msg_1",
        model: "claude",
        createdAtSeconds: 0,
        parts: [
          { type: "reasoning", text: "hm" },
          { type: "text", text: "yes" },
          { type: "tool-call", id: "call_1", name: "f", argumentsText: "", signature: "sig" },
        ],
        finishReason: "tool-calls",
        usage: USAGE,
      },
      CONTEXT,
    );
    expect(response).toMatchInlineSnapshot(`
      {
        "choices": [
          {
            "finish_reason": "tool_calls",
            "index": 0,
            "logprobs": null,
            "message": {
              "content": "yes",
              "reasoning_content": "hm",
              "refusal": null,
              "role": "assistant",
              "tool_calls": [
                {
                  "extra_content": {
                    "google": {
                      "thought_signature": "sig",
                    },
                  },
                  "function": {
                    "arguments": "{}",
                    "name": "f",
                  },
                  "id": "call_1",
                  "type": "function",
                },
              ],
            },
          },
        ],
        "created": 1700000000,
        "id": "msg_1",
        "model": "gpt-4o",
        "object": "chat.completion",
        "usage": {
          "completion_tokens": 5,
          "completion_tokens_details": {
            "reasoning_tokens": 2,
          },
          "prompt_tokens": 10,
          "prompt_tokens_details": {
            "cached_tokens": 4,
          },
          "total_tokens": 15,
        },
      }
    `);
  });

  it("has null content next to tool calls, and empty content without", () => {
    const base = { id: "", model: "m", createdAtSeconds: 5, finishReason: "stop", usage: undefined } as const;
    const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
    expect(openAiChat.writeResponse({ ...base, parts: [call] }, CONTEXT)).toMatchObject({
      id: "chatcmpl-req1",
      created: 5,
      choices: [{ message: { content: null } }],
    });
    expect(openAiChat.writeResponse({ ...base, parts: [] }, CONTEXT)).toMatchObject({
      choices: [{ message: { content: "" } }],
      usage: { total_tokens: 0 },
    });
  });
});

describe("OpenAI response for callers of legacy functions", () => {
  it("has one function_call in place of tool_calls", () => {
    const parts = ["f", "g"].map((name) => ({ type: "tool-call" as const, id: name, name, argumentsText: "" }));
    const response = { id: "", model: "m", createdAtSeconds: 5, finishReason: "tool-calls" as const, parts };
    const result = openAiChat.writeResponse({ ...response, usage: USAGE }, { ...CONTEXT, requested: FUNCTIONS });
    expect(result).toMatchObject({
      choices: [
        { message: { content: null, function_call: { name: "f", arguments: "{}" } }, finish_reason: "function_call" },
      ],
    });
    expect(JSON.stringify(result)).not.toContain("tool_calls");
  });
});

describe("OpenAI stream", () => {
  const parts: StreamPart[] = [
    { type: "start", id: "chatcmpl-9", model: "m" },
    { type: "reasoning-delta", text: "hm" },
    { type: "reasoning-signature", signature: "s" },
    { type: "text-delta", text: "yes" },
    { type: "tool-call-start", index: 0, id: "call_1", name: "f" },
    { type: "tool-call-delta", index: 0, argumentsText: "{}" },
    { type: "finish", reason: "tool-calls", usage: USAGE },
  ];
  const write = (includeUsage: boolean, list = parts): string => {
    const writer = openAiChat.newStreamWriter({ ...CONTEXT, includeUsage });
    return list.map((part) => writer.write(part)).join("");
  };

  it("consists of chunks that end with [DONE]", () => {
    expect(write(false)).toMatchInlineSnapshot(`
      "data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]}

      data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"reasoning_content":"hm"},"logprobs":null,"finish_reason":null}]}

      data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"s","format":"anthropic-claude-v1","index":0}]},"logprobs":null,"finish_reason":null}]}

      data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"content":"yes"},"logprobs":null,"finish_reason":null}]}

      data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]},"logprobs":null,"finish_reason":null}]}

      data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"logprobs":null,"finish_reason":null}]}

      data: {"id":"chatcmpl-9","object":"chat.completion.chunk","created":1700000000,"model":"gpt-4o","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}]}

      data: [DONE]

      "
    `);
  });

  it("has a usage chunk for callers who requested it, even if upstream reported no usage", () => {
    expect(write(true)).toContain('"choices":[],"usage":{"prompt_tokens":10');
    const silent: StreamPart[] = [{ type: "finish", reason: "stop", usage: undefined }];
    expect(write(true, silent)).toContain('"choices":[],"usage":{"prompt_tokens":0');
  });

  it("never sends usage to callers who did not request it", () => {
    expect(write(false)).not.toContain("usage");
  });

  it("sends {} as the arguments of calls without any", () => {
    const text = write(false, [
      { type: "tool-call-start", index: 0, id: "call_1", name: "f" },
      { type: "finish", reason: "tool-calls", usage: undefined },
    ]);
    expect(text).toContain('"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]');
    expect(write(false).split('"arguments":"{}"')).toHaveLength(2);
  });

  it("names a call in the format of legacy functions", () => {
    const writer = openAiChat.newStreamWriter({ ...CONTEXT, requested: FUNCTIONS });
    const chunks = parts.map((part) => writer.write(part)).join("");
    expect(chunks).not.toContain("tool_calls");
    expect(chunks).toContain('"delta":{"function_call":{"name":"f","arguments":""}}');
    expect(chunks).toContain('"delta":{"function_call":{"arguments":"{}"}}');
    expect(chunks).toContain('"finish_reason":"function_call"');
  });

  it("ends with an error and no end mark on failure", () => {
    const writer = openAiChat.newStreamWriter(CONTEXT);
    const text = writer.fail(new RelayError("stream_interrupted", "the stream was cut"), "req1");
    expect(text).toBe(
      'data: {"error":{"message":"the stream was cut (request id: req1)","type":"turnpike_error","param":null,"code":"stream_interrupted"}}\n\n',
    );
  });
});

describe("OpenAI error", () => {
  it("has type turnpike_error and the request id if it is the relay's own", () => {
    expect(openAiChat.writeError(new RelayError("invalid_request", "bad", { param: "model" }), "req1")).toEqual({
      error: { message: "bad (request id: req1)", type: "turnpike_error", param: "model", code: "invalid_request" },
    });
  });

  it("keeps upstream's text, and has type upstream_error if upstream sent no type", () => {
    const upstream = { message: "slow down", type: "requests", code: "rate_limit_exceeded", param: undefined };
    expect(
      openAiChat.writeError(new RelayError("upstream_error", "slow down", { status: 429, upstream }), "req1"),
    ).toEqual({
      error: { message: "slow down", type: "requests", param: null, code: "rate_limit_exceeded" },
    });
    const silent = { message: "bad", type: undefined, code: undefined, param: undefined };
    expect(openAiChat.writeError(new RelayError("upstream_error", "bad", { upstream: silent }), "req1")).toEqual({
      error: { message: "bad", type: "upstream_error", param: null, code: "upstream_error" },
    });
  });
});
