import { describe, expect, it } from "vitest";
import type { ResponseContext } from "../../core/call/dialect.ts";
import type { ContentPart } from "../../core/chat/chat.ts";
import { openAiChat } from "./openai-chat.ts";

const PNG = "data:image/png;base64,iVBORw0KGgo=";

const parse = (fields: object) =>
  openAiChat.parseRequest({ model: "gpt-4o", messages: [{ role: "user", content: "hi" }], ...fields });

describe("tools of an OpenAI request", () => {
  it("keeps earlier calls of custom tools, whose input is a text", () => {
    const custom = { id: "call_1", type: "custom", custom: { name: "apply_patch", input: '+ "b"' } };
    const { messages } = parse({
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: null, tool_calls: [custom] },
        { role: "tool", tool_call_id: "call_1", content: "done" },
      ],
    });
    const argumentsText = JSON.stringify({ input: '+ "b"' });
    expect(messages[1]?.parts).toEqual([{ type: "tool-call", id: "call_1", name: "apply_patch", argumentsText }]);
  });

  const GRAMMAR = { type: "grammar", grammar: { syntax: "lark", definition: "start: WORD" } };
  const SQL = { type: "custom", custom: { name: "sql", description: "Runs a query", format: GRAMMAR } };
  const CLOCK = { type: "function", function: { name: "clock" } };

  it("offers custom tools as functions with one text argument, and a choice among them", () => {
    const { tools, toolChoice } = parse({ tools: [SQL], tool_choice: { type: "custom", custom: { name: "sql" } } });
    expect(tools).toEqual([
      {
        name: "sql",
        description: "Runs a query\n\nThe input must follow this grammar (lark):\nstart: WORD",
        parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
        custom: { description: "Runs a query", grammar: GRAMMAR.grammar },
      },
    ]);
    expect(toolChoice).toEqual({ type: "tool", name: "sql" });
    const allowed = { mode: "auto", tools: [{ type: "custom", custom: { name: "sql" } }] };
    const chosen = parse({ tools: [SQL, CLOCK], tool_choice: { type: "allowed_tools", allowed_tools: allowed } });
    expect(chosen.tools?.map(({ name }) => name)).toEqual(["sql"]);
  });

  it("returns calls of custom tools as such, whole and streamed", () => {
    const context: ResponseContext = {
      requestId: "req1",
      model: "m",
      includeUsage: false,
      createdAtSeconds: 1,
      requested: { tools: [SQL, CLOCK] },
    };
    const parts: ContentPart[] = [
      { type: "tool-call", id: "call_1", name: "sql", argumentsText: '{"input":"SELECT \\"a\\""}' },
      { type: "tool-call", id: "call_2", name: "clock", argumentsText: "" },
    ];
    const written = openAiChat.writeResponse(
      { id: "r", model: "m", createdAtSeconds: 1, parts, finishReason: "tool-calls", usage: undefined },
      context,
    );
    expect(written).toMatchObject({
      choices: [
        {
          message: {
            tool_calls: [
              { id: "call_1", type: "custom", custom: { name: "sql", input: 'SELECT "a"' } },
              { id: "call_2", type: "function", function: { name: "clock", arguments: "{}" } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
    });
    const writer = openAiChat.newStreamWriter(context);
    const text = [
      writer.write({ type: "start", id: "r", model: "m" }),
      writer.write({ type: "tool-call-start", index: 0, id: "call_1", name: "sql" }),
      writer.write({ type: "tool-call-delta", index: 0, argumentsText: '{"input":"SELECT ' }),
      writer.write({ type: "tool-call-delta", index: 0, argumentsText: '\\"a\\""}' }),
      writer.write({ type: "tool-call-start", index: 1, id: "call_2", name: "clock" }),
      writer.write({ type: "finish", reason: "tool-calls", usage: undefined }),
    ].join("");
    const chunks = [...text.matchAll(/^data: (\{.*\})$/gm)].map(
      ([, json = ""]) => JSON.parse(json) as { choices: { delta: { tool_calls?: unknown[] } }[] },
    );
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toEqual([
      { index: 0, id: "call_1", type: "custom", custom: { name: "sql", input: "" } },
      { index: 1, id: "call_2", type: "function", function: { name: "clock", arguments: "" } },
      { index: 1, function: { arguments: "{}" } },
      { index: 0, custom: { input: 'SELECT "a"' } },
    ]);
  });

  it("keeps parallel tool calls, their results and null content", () => {
    const { messages, tools, toolChoice } = parse({
      tools: [
        {
          type: "function",
          function: { name: "get_weather", parameters: { type: "object", properties: {} }, strict: true },
        },
      ],
      tool_choice: { type: "function", function: { name: "get_weather" } },
      messages: [
        { role: "user", content: "weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: "get_weather", arguments: '{"city":"Paris"}' },
              extra_content: { google: { thought_signature: "sig" } },
            },
            { id: "call_2", type: "function", function: { name: "get_weather", arguments: "" } },
          ],
        },
        { role: "tool", tool_call_id: "call_2", content: "rain" },
        {
          role: "tool",
          tool_call_id: "call_1",
          content: [
            { type: "text", text: "sun" },
            { type: "image_url", image_url: PNG },
          ],
        },
      ],
    });
    expect({ messages, tools, toolChoice }).toMatchInlineSnapshot(`
      {
        "messages": [
          {
            "parts": [
              {
                "text": "weather?",
                "type": "text",
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "argumentsText": "{"city":"Paris"}",
                "id": "call_1",
                "name": "get_weather",
                "signature": "sig",
                "type": "tool-call",
              },
              {
                "argumentsText": "",
                "id": "call_2",
                "name": "get_weather",
                "type": "tool-call",
              },
            ],
            "role": "assistant",
          },
          {
            "parts": [
              {
                "id": "call_2",
                "name": "get_weather",
                "parts": [
                  {
                    "text": "rain",
                    "type": "text",
                  },
                ],
                "type": "tool-result",
              },
            ],
            "role": "user",
          },
          {
            "parts": [
              {
                "id": "call_1",
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
        "toolChoice": {
          "name": "get_weather",
          "type": "tool",
        },
        "tools": [
          {
            "name": "get_weather",
            "parameters": {
              "properties": {},
              "type": "object",
            },
            "strict": true,
          },
        ],
      }
    `);
  });

  it("reads legacy functions as tools, and their results as results of the last call", () => {
    const { messages, tools, toolChoice } = parse({
      functions: [{ name: "f" }],
      function_call: { name: "f" },
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "done" },
      ],
    });
    expect(tools).toEqual([{ name: "f", parameters: { type: "object", properties: {} } }]);
    expect(toolChoice).toEqual({ type: "tool", name: "f" });
    expect(messages[1]?.parts).toEqual([{ type: "tool-call", id: "call_legacy_1", name: "f", argumentsText: "{}" }]);
    expect(messages[2]?.parts).toEqual([
      { type: "tool-result", id: "call_legacy_1", name: "f", parts: [{ type: "text", text: "done" }] },
    ]);
  });

  it.each([
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "required" }],
    [
      { type: "function", function: { name: "b" } },
      { type: "tool", name: "b" },
    ],
    [
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "b" } }] },
      },
      { type: "required" },
    ],
  ])("accepts the tool choice %j", (toolChoice, expected) => {
    const request = parse({
      tools: ["a", "b"].map((name) => ({ type: "function", function: { name } })),
      tool_choice: toolChoice,
    });
    expect(request.toolChoice).toEqual(expected);
    const isRestricted = typeof toolChoice === "object" && toolChoice.type === "allowed_tools";
    expect(request.tools?.map(({ name }) => name)).toEqual(isRestricted ? ["b"] : ["a", "b"]);
  });
});
