import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../chat/chat.ts";
import { RelayError } from "../../errors/relay-error.ts";
import type { AnswerContext } from "../dialect.ts";
import { anthropicMessages } from "./anthropic-messages.ts";

const CONTEXT: AnswerContext = { requestId: "req1", model: "claude-x", includeUsage: false, createdAtSeconds: 1 };
const USAGE = { promptTokens: 100, completionTokens: 5, cacheReadTokens: 40, cacheWriteTokens: 10, reasoningTokens: 0 };

const parse = (fields: object) =>
  anthropicMessages.parseRequest({
    model: "claude-x",
    max_tokens: 100,
    messages: [{ role: "user", content: "hi" }],
    ...fields,
  });

type Event = { type: string; index?: number } & Record<string, unknown>;

/** The events of a stream's text; checks that each event's name is its type. */
function events(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(frame);
      const event = JSON.parse(match?.[2] ?? "") as Event;
      expect(event.type).toBe(match?.[1]);
      return event;
    });
}

function write(parts: readonly StreamPart[]): Event[] {
  const writer = anthropicMessages.newStreamWriter(CONTEXT);
  return events(parts.map((part) => writer.write(part)).join(""));
}

/**
 * What is wrong with a stream that must have one start, blocks numbered from 0 that never overlap, one message_delta and one stop;
 * nothing where all is well.
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

describe("Anthropic requests", () => {
  it("become the internal form with all they say", () => {
    const cacheControl = { type: "ephemeral" };
    const body = {
      model: "claude-x",
      max_tokens: 2000,
      stream: true,
      system: [{ type: "text", text: "Be brief.", cache_control: cacheControl }],
      temperature: 1,
      top_k: 5,
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      thinking: { type: "enabled", budget_tokens: 1024 },
      tools: [{ name: "get_weather", description: "d", input_schema: { type: "object" }, cache_control: cacheControl }],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
            { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
            {
              type: "document",
              title: "a.pdf",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
            },
            { type: "text", text: "What?", cache_control: cacheControl },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "sig" },
            { type: "redacted_thinking", data: "xyz" },
            { type: "text", text: "Looking." },
            { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Paris" } },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              is_error: false,
              content: [
                { type: "text", text: "sun" },
                { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } },
              ],
            },
          ],
        },
      ],
    };
    expect(anthropicMessages.parseRequest(body)).toMatchInlineSnapshot(`
      {
        "includeUsage": false,
        "maxOutputTokens": 2000,
        "messages": [
          {
            "parts": [
              {
                "source": {
                  "data": "iVBORw0KGgo=",
                  "kind": "base64",
                  "mediaType": "image/png",
                },
                "type": "image",
              },
              {
                "source": {
                  "kind": "url",
                  "url": "https://example.com/a.png",
                },
                "type": "image",
              },
              {
                "data": "JVBERg==",
                "mediaType": "application/pdf",
                "name": "a.pdf",
                "type": "file",
              },
              {
                "cacheControl": {
                  "type": "ephemeral",
                },
                "text": "What?",
                "type": "text",
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "signature": "sig",
                "text": "hm",
                "type": "reasoning",
              },
              {
                "data": "xyz",
                "type": "redacted-reasoning",
              },
              {
                "text": "Looking.",
                "type": "text",
              },
              {
                "argumentsText": "{"city":"Paris"}",
                "id": "toolu_1",
                "name": "get_weather",
                "type": "tool-call",
              },
            ],
            "role": "assistant",
          },
          {
            "parts": [
              {
                "id": "toolu_1",
                "isError": false,
                "name": "get_weather",
                "parts": [
                  {
                    "text": "sun",
                    "type": "text",
                  },
                  {
                    "source": {
                      "data": "iVBORw0KGgo=",
                      "kind": "base64",
                      "mediaType": "image/png",
                    },
                    "type": "image",
                  },
                ],
                "type": "tool-result",
              },
            ],
            "role": "user",
          },
        ],
        "model": "claude-x",
        "parallelToolCalls": false,
        "reasoning": {
          "budgetTokens": 1024,
        },
        "stop": [
          "END",
        ],
        "stream": true,
        "system": [
          {
            "cacheControl": {
              "type": "ephemeral",
            },
            "text": "Be brief.",
            "type": "text",
          },
        ],
        "temperature": 1,
        "toolChoice": {
          "type": "required",
        },
        "tools": [
          {
            "cacheControl": {
              "type": "ephemeral",
            },
            "description": "d",
            "name": "get_weather",
            "parameters": {
              "type": "object",
            },
          },
        ],
        "topK": 5,
        "user": "u1",
      }
    `);
  });

  it.each([
    [{ type: "auto" }, { type: "auto" }, undefined],
    [{ type: "any", disable_parallel_tool_use: true }, { type: "required" }, false],
    [{ type: "tool", name: "f" }, { type: "tool", name: "f" }, undefined],
    [{ type: "none" }, { type: "none" }, undefined],
  ])("understand the tool choice %j", (choice, toolChoice, parallelToolCalls) => {
    const request = parse({ tools: [{ name: "f", input_schema: {} }], tool_choice: choice });
    expect(request).toMatchObject({ toolChoice });
    expect(request.parallelToolCalls).toBe(parallelToolCalls);
  });

  it.each([
    [{ thinking: { type: "adaptive" } }, {}],
    [{ thinking: { type: "adaptive" }, output_config: { effort: "max" } }, { effort: "max" }],
    [{ thinking: { type: "disabled" }, output_config: { effort: "low" } }, { budgetTokens: 0 }],
    [{ thinking: { type: "between_tools" } }, { budgetTokens: 0 }],
    [{ output_config: { effort: "medium" } }, { effort: "medium" }],
    [{}, undefined],
  ])("understand reasoning said as %j", (fields, reasoning) => {
    expect(parse(fields).reasoning).toEqual(reasoning);
  });

  it("bring what the caller's own search found as text, in turns and in results of tools", () => {
    const cache_control = { type: "ephemeral" };
    const found = {
      type: "search_result",
      source: "https://x.test/a",
      title: "Weather",
      content: [
        { type: "text", text: "Sun." },
        { type: "text", text: "Later rain." },
      ],
      cache_control,
    };
    const result = { type: "tool_result", tool_use_id: "a", content: [found] };
    const text = {
      type: "text",
      text: "Weather\nhttps://x.test/a\nSun.\nLater rain.",
      cacheControl: cache_control,
    };
    expect(parse({ messages: [{ role: "user", content: [found, result] }] }).messages).toEqual([
      { role: "user", parts: [text, { type: "tool-result", id: "a", parts: [text] }] },
    ]);
  });

  it("take a schema for the answer", () => {
    const schema = { type: "object" };
    expect(parse({ output_config: { format: { type: "json_schema", schema } } }).responseFormat).toMatchObject({
      schema,
    });
  });

  it.each([
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].role"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages[0].content[0].text"],
    [{ messages: [{ role: "user", content: [{ type: "web_search_tool_result" }] }] }, "messages[0].content[0].type"],
    [
      { messages: [{ role: "user", content: [{ type: "image", source: { type: "file", file_id: "f" } }] }] },
      "messages[0].content[0].source.type",
    ],
    [{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools[0].type"],
    [{ tools: [{ name: "f" }] }, "tools[0].input_schema"],
    [{ tool_choice: "auto" }, "tool_choice"],
    [{ thinking: { type: "deep" } }, "thinking.type"],
    [{ max_tokens: "many" }, "max_tokens"],
    [{ system: 5 }, "system"],
  ])("with %j are refused, naming the field", (fields, param) => {
    expect(() => parse(fields)).toThrowError(expect.objectContaining({ code: "invalid_request", param }));
  });
});

describe("tools with names that only Anthropic takes", () => {
  const name = `mcp__files__${"x".repeat(100)}`;
  const asked = {
    tools: [
      { name, input_schema: {} },
      { name: "plain", input_schema: {} },
    ],
  };

  it("are known to other providers by shorter ones, which are theirs again in the answer", () => {
    const used = { role: "assistant", content: [{ type: "tool_use", id: "a", name, input: {} }] };
    const request = parse({ ...asked, tool_choice: { type: "tool", name }, messages: [used] });
    const short = request.tools?.[0]?.name ?? "";
    expect(short).toMatch(/^mcp__files__x+_[0-9a-f]{8}$/);
    expect(short).toHaveLength(64);
    expect(request).toMatchObject({ toolChoice: { name: short }, messages: [{ parts: [{ name: short }] }] });
    const calls = [short, "plain"].map((called) => ({ type: "tool-call" as const, id: called, name: called }));
    const parts = calls.map((call) => ({ ...call, argumentsText: "{}" }));
    const response = { id: "", model: "m", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: USAGE };
    expect(anthropicMessages.writeResponse({ ...response, parts }, { ...CONTEXT, asked })).toMatchObject({
      content: [{ name }, { name: "plain" }],
    });
    const writer = anthropicMessages.newStreamWriter({ ...CONTEXT, asked });
    const [start] = events(writer.write({ type: "tool-call-start", index: 0, id: "a", name: short }));
    expect(start).toMatchObject({ content_block: { type: "tool_use", name } });
  });
});

describe("Anthropic answers", () => {
  it("carry thinking, text, tool calls and usage without the cached parts in input_tokens", () => {
    const response = anthropicMessages.writeResponse(
      {
        id: "chatcmpl-1",
        model: "gpt",
        createdAtSeconds: 0,
        parts: [
          { type: "reasoning", text: "hm", signature: "sig" },
          { type: "redacted-reasoning", data: "xyz" },
          { type: "text", text: "yes" },
          { type: "tool-call", id: "call_1", name: "f", argumentsText: '{"a":1}' },
          { type: "tool-call", id: "call_2", name: "g", argumentsText: '{"cut' },
        ],
        finishReason: "tool-calls",
        usage: USAGE,
      },
      CONTEXT,
    );
    expect(response).toMatchInlineSnapshot(`
      {
        "content": [
          {
            "signature": "sig",
            "thinking": "hm",
            "type": "thinking",
          },
          {
            "data": "xyz",
            "type": "redacted_thinking",
          },
          {
            "text": "yes",
            "type": "text",
          },
          {
            "id": "call_1",
            "input": {
              "a": 1,
            },
            "name": "f",
            "type": "tool_use",
          },
          {
            "id": "call_2",
            "input": {
              "_raw": "{"cut",
            },
            "name": "g",
            "type": "tool_use",
          },
        ],
        "id": "msg_req1",
        "model": "claude-x",
        "role": "assistant",
        "stop_reason": "tool_use",
        "stop_sequence": null,
        "type": "message",
        "usage": {
          "cache_creation_input_tokens": 10,
          "cache_read_input_tokens": 40,
          "input_tokens": 50,
          "output_tokens": 5,
        },
      }
    `);
  });

  it.each([
    ["stop", "end_turn"],
    ["stop-sequence", "stop_sequence"],
    ["length", "max_tokens"],
    ["tool-calls", "tool_use"],
    ["content-filter", "refusal"],
    ["other", "end_turn"],
  ] as const)("say %s as %s", (finishReason, stopReason) => {
    const response = { id: "msg_1", model: "m", createdAtSeconds: 0, parts: [], finishReason, usage: undefined };
    expect(anthropicMessages.writeResponse(response, CONTEXT)).toMatchObject({ id: "msg_1", stop_reason: stopReason });
  });
});

describe("Anthropic streams", () => {
  it("are the whole sequence of events", () => {
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

  it("tell the input only at the end where it is not known before", () => {
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

  it("say how much of the output was thinking", () => {
    const [, delta] = write([{ type: "finish", reason: "stop", usage: { ...USAGE, reasoningTokens: 3 } }]);
    expect(delta).toMatchObject({ usage: { output_tokens: 5, output_tokens_details: { thinking_tokens: 3 } } });
  });

  it("name the stop sequence", () => {
    const list = write([{ type: "finish", reason: "stop-sequence", stopSequence: "END", usage: USAGE }]);
    expect(faults(list)).toEqual([]);
    expect(list.at(-2)).toMatchObject({ delta: { stop_reason: "stop_sequence", stop_sequence: "END" } });
  });

  it("put tool calls that are written at once one behind the other", () => {
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

  it("begin a new thinking block behind a signed one", () => {
    const list = write([
      { type: "reasoning-delta", text: "a" },
      { type: "reasoning-signature", signature: "s" },
      { type: "reasoning-delta", text: "b" },
      { type: "finish", reason: "stop", usage: USAGE },
    ]);
    expect(list.filter(({ type }) => type === "content_block_start")).toHaveLength(2);
  });

  it("of an empty answer are whole all the same", () => {
    expect(faults(write([{ type: "finish", reason: "stop", usage: undefined }]))).toEqual([]);
  });

  it("that fail end with an error event and no message_stop", () => {
    const writer = anthropicMessages.newStreamWriter(CONTEXT);
    const [event] = events(writer.fail(new RelayError("stream_interrupted", "the stream was cut"), "req1"));
    expect(event).toEqual({
      type: "error",
      error: { type: "api_error", message: "the stream was cut (request id: req1)" },
      request_id: "req1",
    });
  });
});

describe("Anthropic errors", () => {
  it.each([
    ["insufficient_user_quota", "permission_error"],
    ["invalid_api_key", "authentication_error"],
    ["rate_limit_exceeded", "rate_limit_error"],
    ["no_available_channel", "overloaded_error"],
  ] as const)("of our own say %s as %s", (code, type) => {
    expect(anthropicMessages.writeError(new RelayError(code, "no"), "req1")).toEqual({
      type: "error",
      error: { type, message: "no (request id: req1)" },
      request_id: "req1",
    });
  });

  it.each([
    ["overloaded_error", 529, "overloaded_error"],
    ["insufficient_quota", 429, "rate_limit_error"],
    [undefined, 400, "invalid_request_error"],
    ["server_error", 500, "api_error"],
  ])("of upstream with type %s and status %i are of type %s", (type, status, expected) => {
    const upstream = { message: "m", type, code: undefined, param: undefined };
    const error = new RelayError("upstream_error", "m", { status, upstream });
    expect(anthropicMessages.writeError(error, "req1")).toMatchObject({ error: { type: expected, message: "m" } });
  });
});
