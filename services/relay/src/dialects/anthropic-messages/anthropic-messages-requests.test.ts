import { describe, expect, it } from "vitest";
import { anthropicMessages } from "./anthropic-messages.ts";
import { CONTEXT, USAGE, events } from "./anthropic-fixtures.ts";

const parse = (fields: object) =>
  anthropicMessages.parseRequest({
    model: "claude-x",
    max_tokens: 100,
    messages: [{ role: "user", content: "hi" }],
    ...fields,
  });

describe("Anthropic request", () => {
  it("is parsed into the internal form with all its fields", () => {
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
  ])("accepts the tool choice %j", (choice, toolChoice, parallelToolCalls) => {
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
  ])("accepts reasoning requested as %j", (fields, reasoning) => {
    expect(parse(fields).reasoning).toEqual(reasoning);
  });

  it("carries the caller's own search results as text, in turns and in tool results", () => {
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

  it("accepts a schema for the response", () => {
    const schema = { type: "object" };
    expect(parse({ output_config: { format: { type: "json_schema", schema } } }).responseFormat).toMatchObject({
      schema,
    });
  });

  it.each([
    [{ messages: [] }, "messages"],
    [{ messages: [{ role: "tool", content: "x" }] }, "messages[0].role"],
    [{ messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages[0].content[0].text"],
    [{ messages: [{ role: "user", content: [{ type: "container_upload" }] }] }, "messages[0].content[0].type"],
    [
      { messages: [{ role: "user", content: [{ type: "image", source: { type: "file", file_id: "f" } }] }] },
      "messages[0].content[0].source.type",
    ],
    [{ tools: [{ type: "computer_20251124", name: "computer" }] }, "tools[0].type"],
    [{ tools: [{ name: "f" }] }, "tools[0].input_schema"],
    [{ tool_choice: "auto" }, "tool_choice"],
    [{ thinking: { type: "deep" } }, "thinking.type"],
    [{ max_tokens: "many" }, "max_tokens"],
    [{ system: 5 }, "system"],
  ])("is refused with the field's name for %j", (fields, param) => {
    expect(() => parse(fields)).toThrowError(expect.objectContaining({ code: "invalid_request", param }));
  });
});

describe("tool name that only Anthropic accepts", () => {
  const name = `mcp__files__${"x".repeat(100)}`;
  const requested = {
    tools: [
      { name, input_schema: {} },
      { name: "plain", input_schema: {} },
    ],
  };

  it("is shortened for other providers and restored in the response", () => {
    const used = { role: "assistant", content: [{ type: "tool_use", id: "a", name, input: {} }] };
    const request = parse({ ...requested, tool_choice: { type: "tool", name }, messages: [used] });
    const short = request.tools?.[0]?.name ?? "";
    expect(short).toMatch(/^mcp__files__x+_[0-9a-f]{8}$/);
    expect(short).toHaveLength(64);
    expect(request).toMatchObject({ toolChoice: { name: short }, messages: [{ parts: [{ name: short }] }] });
    const calls = [short, "plain"].map((called) => ({ type: "tool-call" as const, id: called, name: called }));
    const parts = calls.map((call) => ({ ...call, argumentsText: "{}" }));
    const response = { id: "", model: "m", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: USAGE };
    expect(anthropicMessages.writeResponse({ ...response, parts }, { ...CONTEXT, requested })).toMatchObject({
      content: [{ name }, { name: "plain" }],
    });
    const writer = anthropicMessages.newStreamWriter({ ...CONTEXT, requested });
    const [start] = events(writer.write({ type: "tool-call-start", index: 0, id: "a", name: short }));
    expect(start).toMatchObject({ content_block: { type: "tool_use", name } });
  });
});
