import { describe, expect, it } from "vitest";
import type { ChatMessage, ChatRequest, StreamPart } from "../../chat/chat.ts";
import { DEFAULT_SETTINGS, readAnswer, readParts, readStreamBytes, targetFor } from "../fixtures.ts";
import { StreamFailure, type Target } from "../provider.ts";
import { anthropic } from "./anthropic.ts";
import { claudeTraits } from "./claude-models.ts";
import { claudeSchema } from "./claude-schema.ts";

const MODEL = "claude-sonnet-4-5-20250929";
const target = (given: Partial<Target> = {}): Target => targetFor({ channelType: 14, model: MODEL, ...given });

const request = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: MODEL,
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  ...fields,
});

const build = (fields: Partial<ChatRequest>, given: Partial<Target> = {}) =>
  anthropic.buildRequest(request(fields), target(given)).json;

const stream = (name: string, pieceBytes?: number): StreamPart[] =>
  readParts(anthropic.newStreamReader(), readStreamBytes("anthropic", name), pieceBytes);

const text = (role: ChatMessage["role"], words: string): ChatMessage => ({
  role,
  parts: [{ type: "text", text: words }],
});

describe("addresses of Anthropic", () => {
  it("carry the key and the version, the caller's where it sent one", () => {
    expect(anthropic.address(target(), false)).toEqual({
      url: "https://api.anthropic.com/v1/messages",
      headers: { "content-type": "application/json", "x-api-key": "sk-upstream", "anthropic-version": "2023-06-01" },
    });
    const callerHeaders = { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b" };
    expect(anthropic.address(target({ baseUrl: "http://host/v1", callerHeaders }), true)).toMatchObject({
      url: "http://host/v1/messages",
      headers: { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b" },
    });
  });

  it("join the betas the operator set for the model with the caller's, and add its other headers", () => {
    const claudeModelHeaders = { [MODEL]: { "Anthropic-Beta": ["b", "c"], "x-team": ["one"] } };
    const { headers } = anthropic.address(
      target({ callerHeaders: { "anthropic-beta": "a, b" }, settings: { ...DEFAULT_SETTINGS, claudeModelHeaders } }),
      false,
    );
    expect(headers).toMatchObject({ "anthropic-beta": "a,b,c", "x-team": "one" });
  });

  it("lead to the model list", () => {
    expect(anthropic.modelList?.(target()).url).toBe("https://api.anthropic.com/v1/models?limit=1000");
    expect(anthropic.parseModelList?.({ data: [{ id: "claude-a", type: "model" }] })).toEqual(["claude-a"]);
  });
});

describe("requests to Anthropic", () => {
  it("say everything the caller said", () => {
    const cacheControl = { type: "ephemeral" };
    const body = build({
      system: [
        { type: "text", text: "Be brief.", cacheControl },
        { type: "text", text: "Be kind." },
      ],
      stream: true,
      maxOutputTokens: 100,
      temperature: 1.5,
      topP: 0.9,
      topK: 5,
      stop: ["END", "\n"],
      tools: [{ name: "f", description: "d", parameters: { properties: {} }, cacheControl }],
      toolChoice: { type: "auto" },
      parallelToolCalls: false,
      user: "u1",
      messages: [
        {
          role: "user",
          parts: [
            { type: "text", text: "What?", cacheControl },
            { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } },
            { type: "image", source: { kind: "url", url: "https://example.com/a.png" } },
            { type: "file", name: "a.pdf", mediaType: "application/pdf", data: "CCCC" },
            { type: "file", name: "a.txt", mediaType: "text/plain", data: "aGVsbG8=" },
          ],
        },
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "unsigned" },
            { type: "reasoning", text: "hm", signature: "sig" },
            { type: "redacted-reasoning", data: "xyz" },
            { type: "tool-call", id: "call:1", name: "f", argumentsText: "" },
            { type: "tool-call", id: "c2", name: "f", argumentsText: '{"a":1}' },
          ],
        },
        {
          role: "user",
          parts: [
            { type: "text", text: "Here." },
            { type: "tool-result", id: "call:1", name: "f", parts: [{ type: "text", text: "one" }] },
          ],
        },
        {
          role: "user",
          parts: [
            {
              type: "tool-result",
              id: "c2",
              isError: true,
              parts: [{ type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } }],
            },
          ],
        },
      ],
    });
    expect(body).toMatchInlineSnapshot(`
      {
        "max_tokens": 100,
        "messages": [
          {
            "content": [
              {
                "cache_control": {
                  "type": "ephemeral",
                },
                "text": "What?",
                "type": "text",
              },
              {
                "source": {
                  "data": "AAAA",
                  "media_type": "image/png",
                  "type": "base64",
                },
                "type": "image",
              },
              {
                "source": {
                  "type": "url",
                  "url": "https://example.com/a.png",
                },
                "type": "image",
              },
              {
                "source": {
                  "data": "CCCC",
                  "media_type": "application/pdf",
                  "type": "base64",
                },
                "title": "a.pdf",
                "type": "document",
              },
              {
                "source": {
                  "data": "hello",
                  "media_type": "text/plain",
                  "type": "text",
                },
                "title": "a.txt",
                "type": "document",
              },
            ],
            "role": "user",
          },
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
                "id": "call_1",
                "input": {},
                "name": "f",
                "type": "tool_use",
              },
              {
                "id": "c2",
                "input": {
                  "a": 1,
                },
                "name": "f",
                "type": "tool_use",
              },
            ],
            "role": "assistant",
          },
          {
            "content": [
              {
                "content": [
                  {
                    "text": "one",
                    "type": "text",
                  },
                ],
                "tool_use_id": "call_1",
                "type": "tool_result",
              },
              {
                "content": [
                  {
                    "source": {
                      "data": "AAAA",
                      "media_type": "image/png",
                      "type": "base64",
                    },
                    "type": "image",
                  },
                ],
                "is_error": true,
                "tool_use_id": "c2",
                "type": "tool_result",
              },
              {
                "text": "Here.",
                "type": "text",
              },
            ],
            "role": "user",
          },
        ],
        "metadata": {
          "user_id": "u1",
        },
        "model": "claude-sonnet-4-5-20250929",
        "stop_sequences": [
          "END",
        ],
        "stream": true,
        "system": [
          {
            "cache_control": {
              "type": "ephemeral",
            },
            "text": "Be brief.",
            "type": "text",
          },
          {
            "text": "Be kind.",
            "type": "text",
          },
        ],
        "temperature": 1,
        "tool_choice": {
          "disable_parallel_tool_use": true,
          "type": "auto",
        },
        "tools": [
          {
            "cache_control": {
              "type": "ephemeral",
            },
            "description": "d",
            "input_schema": {
              "properties": {},
              "type": "object",
            },
            "name": "f",
          },
        ],
        "top_k": 5,
      }
    `);
  });

  it("have a bound always: the caller's, the model's of the site, the site's", () => {
    const settings = { ...DEFAULT_SETTINGS, claudeDefaultMaxTokens: { default: 1000, "claude-a": 2000 } };
    expect(build({ maxOutputTokens: 5 }, { settings })).toMatchObject({ max_tokens: 5 });
    expect(build({}, { settings })).toMatchObject({ max_tokens: 1000 });
    expect(build({}, { settings, model: "claude-a" })).toMatchObject({ max_tokens: 2000 });
  });

  it("alternate, begin with the user, and have no empty blocks", () => {
    const messages: ChatMessage[] = [
      text("assistant", "Hello"),
      text("user", "a"),
      text("user", "b"),
      { role: "assistant", parts: [{ type: "text", text: "" }] },
      text("user", "c"),
      { role: "assistant", parts: [{ type: "reasoning", text: "unsigned only" }] },
      text("user", "d"),
      text("assistant", "The answer is \n"),
    ];
    expect(build({ messages })["messages"]).toEqual([
      { role: "user", content: [{ type: "text", text: "..." }] },
      { role: "assistant", content: [{ type: "text", text: "Hello" }] },
      { role: "user", content: ["a", "b", "c", "d"].map((words) => ({ type: "text", text: words })) },
      { role: "assistant", content: [{ type: "text", text: "The answer is" }] },
    ]);
    expect(build({ messages: [] })["messages"]).toEqual([{ role: "user", content: [{ type: "text", text: "..." }] }]);
  });

  it("never make a block of an assistant's null content beside tool calls", () => {
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
  ] as const)("say the tool choice %j with parallel calls %j", (toolChoice, parallelToolCalls, expected) => {
    const body = build({
      tools: [{ name: "f", parameters: {} }],
      ...(toolChoice ? { toolChoice } : {}),
      ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }),
    });
    expect(body["tool_choice"]).toEqual(expected);
  });

  it("define the tools of the conversation where the call has none of its own", () => {
    const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
    expect(build({ messages: [{ role: "assistant", parts: [call] }] })).toMatchObject({
      tools: [{ name: "f", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    });
  });

  it("ask for a schema by output_config, or by a forced tool of models that do not know it", () => {
    const responseFormat = {
      type: "json-schema",
      name: "n",
      schema: { type: "object", properties: { a: { type: "integer", minimum: 1 } } },
    } as const;
    expect(build({ responseFormat })).toMatchObject({
      output_config: {
        format: {
          type: "json_schema",
          schema: { additionalProperties: false, properties: { a: { type: "integer", description: "minimum: 1" } } },
        },
      },
    });
    expect(build({ responseFormat }, { model: "claude-3-5-sonnet-20241022" })).toMatchObject({
      tools: [{ name: "answer_in_json", input_schema: responseFormat.schema }],
    });
    expect(build({ responseFormat: { type: "json" } })).toMatchObject({
      system: expect.stringContaining("JSON object"),
    });
    expect(build({ responseFormat: { type: "text" } })).not.toHaveProperty("system");
  });

  it("refuse what Anthropic has no form for", () => {
    const audio: ChatMessage = { role: "user", parts: [{ type: "audio", format: "wav", data: "AAAA" }] };
    expect(() => build({ messages: [audio] })).toThrowError(expect.objectContaining({ code: "invalid_request" }));
    expect(() => build({ candidateCount: 2 })).toThrowError(expect.objectContaining({ param: "n" }));
  });
});

describe("sampling at Anthropic", () => {
  const sampling = { temperature: 0.5, topP: 0.9, topK: 5 };

  it.each([
    ["claude-3-5-sonnet-20241022", { temperature: 0.5, top_p: 0.9, top_k: 5 }],
    ["claude-sonnet-4-5-20250929", { temperature: 0.5, top_k: 5 }],
    ["claude-opus-4-6", { temperature: 0.5, top_k: 5 }],
    ["claude-opus-4-7", {}],
    ["claude-sonnet-5-5", {}],
    ["claude-fable-5", {}],
  ])("keeps to what %s takes", (model, expected) => {
    const { temperature, top_p, top_k } = build(sampling, { model });
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(expected);
  });

  it("is left out with thinking", () => {
    const body = build({ ...sampling, reasoning: { effort: "low" } });
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("top_p");
    expect(body).not.toHaveProperty("top_k");
  });
});

describe("thinking at Anthropic", () => {
  it.each([
    // With budgets: a bound of the caller's is kept where it can be; without one, room for the answer is added.
    [MODEL, { effort: "low" }, undefined, { max_tokens: 10_240, thinking: { type: "enabled", budget_tokens: 2048 } }],
    [MODEL, { effort: "high" }, 4000, { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 3200 } }],
    [MODEL, { effort: "high" }, 100, { max_tokens: 1280, thinking: { type: "enabled", budget_tokens: 1024 } }],
    [MODEL, { budgetTokens: 5000 }, 9000, { max_tokens: 9000, thinking: { type: "enabled", budget_tokens: 5000 } }],
    [MODEL, { budgetTokens: 5000 }, 3000, { max_tokens: 3000, thinking: { type: "enabled", budget_tokens: 2999 } }],
    [MODEL, { effort: "none" }, 100, { max_tokens: 100 }],
    // Both ways.
    [
      "claude-opus-4-6",
      { effort: "xhigh" },
      100,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
    ],
    ["claude-opus-4-6", { budgetTokens: 2000 }, 4000, { thinking: { type: "enabled", budget_tokens: 2000 } }],
    // Adaptive only.
    [
      "claude-opus-4-7",
      { effort: "minimal" },
      100,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
    ],
    [
      "claude-opus-4-7",
      { budgetTokens: 10_000 },
      100,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "medium" } },
    ],
    [
      "claude-sonnet-5",
      { effort: "max" },
      100,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
    ],
    // Off.
    ["claude-sonnet-5", { budgetTokens: 0 }, 100, { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", { budgetTokens: 0 }, 100, { thinking: { type: "between_tools" } }],
    ["claude-opus-5-5", { effort: "none" }, 100, { output_config: { effort: "low" } }],
    ["claude-fable-5", { effort: "none" }, 100, { output_config: { effort: "low" } }],
  ] as const)("of %s with %j and bound %j", (model, reasoning, bound, expected) => {
    const body = build({ reasoning, ...(bound === undefined ? {} : { maxOutputTokens: bound }) }, { model });
    const { max_tokens, thinking, output_config } = body;
    expect({ max_tokens, thinking, output_config }).toEqual({ max_tokens: bound, ...expected });
  });

  it("is switched on by the name's suffix, with the site's share as budget", () => {
    expect(
      build({ maxOutputTokens: 2000, temperature: 0.2 }, { model: "claude-3-7-sonnet-20250219-thinking" }),
    ).toEqual({
      model: "claude-3-7-sonnet-20250219",
      max_tokens: 2000,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      thinking: { type: "enabled", budget_tokens: 1600 },
    });
    expect(build({ maxOutputTokens: 10 }, { model: "claude-3-7-sonnet-20250219-thinking" })).toMatchObject({
      max_tokens: 1280,
      thinking: { budget_tokens: 1024 },
    });
    expect(build({}, { model: "claude-opus-4-8-thinking" })).toMatchObject({
      model: "claude-opus-4-8",
      thinking: { type: "adaptive" },
    });
  });

  it("leaves the suffix in the name where the adapter is off", () => {
    const settings = { ...DEFAULT_SETTINGS, claudeThinkingAdapter: { enabled: false, budgetShare: 0.8 } };
    const body = build({}, { model: "x-thinking", settings });
    expect(body).toMatchObject({ model: "x-thinking" });
    expect(body).not.toHaveProperty("thinking");
  });

  it("is left out where a forced tool rules it out", () => {
    const tools = [{ name: "f", parameters: {} }];
    expect(build({ reasoning: { effort: "high" }, tools, toolChoice: { type: "required" } })).not.toHaveProperty(
      "thinking",
    );
  });

  it("with a budget is left out where the call it goes on from has no signed thinking", () => {
    const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
    const answer: ChatMessage = { role: "user", parts: [{ type: "tool-result", id: "c", parts: [] }] };
    const fields = { reasoning: { effort: "low" }, tools: [{ name: "f", parameters: {} }] } as const;
    const unsigned: ChatMessage[] = [text("user", "a"), { role: "assistant", parts: [call] }, answer];
    expect(build({ ...fields, messages: unsigned })).not.toHaveProperty("thinking");
    const thought = { type: "reasoning", text: "hm", signature: "s" } as const;
    const signed: ChatMessage[] = [text("user", "a"), { role: "assistant", parts: [thought, call] }, answer];
    expect(build({ ...fields, messages: signed })).toHaveProperty("thinking");
    expect(build({ ...fields, messages: unsigned }, { model: "claude-opus-4-7" })).toHaveProperty("thinking");
  });
});

describe("bodies that go through to Anthropic", () => {
  it("are left alone without a suffix", () => {
    const body = { model: MODEL, messages: [] };
    expect(anthropic.adaptBody?.(body, target())).toBe(body);
  });

  it("keep their unknown fields under a suffix", () => {
    const body = { model: "x", max_tokens: 5000, temperature: 0, service_tier: "auto", messages: [] };
    expect(anthropic.adaptBody?.(body, target({ model: "claude-3-7-sonnet-20250219-thinking" }))).toEqual({
      model: "claude-3-7-sonnet-20250219",
      max_tokens: 5000,
      service_tier: "auto",
      messages: [],
      thinking: { type: "enabled", budget_tokens: 4000 },
    });
  });
});

describe("answers of Anthropic", () => {
  it.each(["text", "tools", "reasoning"])("are read whole: %s", (name) => {
    expect(anthropic.parseResponse(readAnswer("anthropic", name))).toMatchSnapshot();
  });

  it("count the cached parts in the prompt", () => {
    expect(anthropic.parseResponse(readAnswer("anthropic", "text")).usage).toMatchObject({
      promptTokens: 175,
      cacheReadTokens: 50,
      cacheWriteTokens: 100,
    });
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop-sequence"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["tool_use", "tool-calls"],
    ["refusal", "content-filter"],
    ["pause_turn", "other"],
  ])("that ended with %s ended by %s", (word, finishReason) => {
    const body = { content: [], stop_reason: word, stop_sequence: null };
    expect(anthropic.parseResponse(body)).toMatchObject({ finishReason, usage: undefined });
  });

  it("that are errors or something else are failures", () => {
    expect(() => anthropic.parseResponse(readAnswer("anthropic", "error"))).toThrowError(
      expect.objectContaining({ status: 429 }),
    );
    expect(() => anthropic.parseResponse("<html>")).toThrowError(StreamFailure);
    expect(() => anthropic.parseResponse({ content: "x" })).toThrowError(StreamFailure);
  });

  it("that refuse keep upstream's words", () => {
    expect(anthropic.parseError(429, readAnswer("anthropic", "error"))).toMatchObject({ type: "rate_limit_error" });
  });
});

describe("streams of Anthropic", () => {
  it.each(["text", "tools", "reasoning"])("are read the same wherever the bytes are cut: %s", (name) => {
    const whole = stream(name);
    expect(whole).toMatchSnapshot();
    for (const pieceBytes of [1, 7, 64]) expect(stream(name, pieceBytes)).toEqual(whole);
  });

  it("that break off with an error fail with its status", () => {
    expect(() => stream("error")).toThrowError(expect.objectContaining({ message: "Overloaded", status: 529 }));
    expect(() => anthropic.newStreamReader().read({ event: "ping", data: '{"ty' })).toThrowError(StreamFailure);
  });

  it("are complete with message_stop, not before", () => {
    const reader = anthropic.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    read({ type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } });
    read({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } });
    expect(reader.isComplete()).toBe(false);
    expect(read({ type: "message_stop" })).toMatchObject([{ type: "finish", usage: { promptTokens: 5 } }]);
    expect(reader.isComplete()).toBe(true);
    expect(reader.end()).toEqual([]);
  });

  it("count usage by the last word on each figure, never by their sum", () => {
    const reader = anthropic.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    read({
      type: "message_start",
      message: { usage: { input_tokens: 43, cache_read_input_tokens: 7, output_tokens: 1 } },
    });
    read({ type: "message_delta", delta: {}, usage: { output_tokens: 3 } });
    read({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { input_tokens: 61, output_tokens: 9 } });
    expect(read({ type: "message_stop" })).toMatchObject([
      { usage: { promptTokens: 68, completionTokens: 9, cacheReadTokens: 7 } },
    ]);
  });

  it("leave out server tools and count the caller's tools from 0", () => {
    const reader = anthropic.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    const start = (index: number, type: string) =>
      read({ type: "content_block_start", index, content_block: { type, id: `t${index}`, name: "f", input: {} } });
    const json = (index: number) =>
      read({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: "{}" } });
    expect([...start(0, "server_tool_use"), ...json(0), ...start(1, "web_search_tool_result")]).toEqual([]);
    expect([...start(2, "tool_use"), ...json(2)]).toEqual([
      { type: "tool-call-start", index: 0, id: "t2", name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: "{}" },
    ]);
  });
});

describe("what Claude models take", () => {
  it.each([
    ["claude-3-opus-20240229", "budget", "unasked"],
    ["claude-3-7-sonnet-20250219", "budget", "unasked"],
    ["claude-opus-4-20250514", "budget", "unasked"],
    ["claude-haiku-4-5-20251001", "budget", "unasked"],
    ["anthropic/claude-sonnet-4.5", "budget", "unasked"],
    ["claude-sonnet-4-6", "either", "unasked"],
    ["claude-opus-4-7", "adaptive", "unasked"],
    ["claude-sonnet-5", "adaptive", "disabled"],
    ["claude-haiku-5-5", "adaptive", "least"],
    ["claude-mythos-preview", "adaptive", "least"],
    ["my-alias", "budget", "unasked"],
  ])("is read off the name %s", (model, thinking, off) => {
    expect(claudeTraits(model)).toMatchObject({ thinking, off });
  });

  it("of JSON schema is kept, the rest is told in words", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "string", format: "email", minLength: 3, description: "address" },
        b: { type: "array", items: { oneOf: [{ type: "string" }, { type: "null" }] }, minItems: 2 },
      },
    };
    expect(claudeSchema(schema)).toEqual({
      type: "object",
      required: ["a"],
      additionalProperties: false,
      properties: {
        a: { type: "string", format: "email", description: "address (minLength: 3)" },
        b: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] }, description: "minItems: 2" },
      },
    });
  });
});
