import { describe, expect, it } from "vitest";
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
