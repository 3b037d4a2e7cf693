import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/chat/chat.ts";
import { DEFAULT_SETTINGS } from "../shared/fixtures.ts";
import { build, text } from "./anthropic-fixtures.ts";

describe("Anthropic provider request", () => {
  it("carries everything the caller sent", () => {
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
                "id": "call_1_0af63155",
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
                "tool_use_id": "call_1_0af63155",
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

  it("always has a token limit: the caller's, the site's for the model, or the site's default", () => {
    const settings = { ...DEFAULT_SETTINGS, claudeDefaultMaxTokens: { default: 1000, "claude-a": 2000 } };
    expect(build({ maxOutputTokens: 5 }, { settings })).toMatchObject({ max_tokens: 5 });
    expect(build({}, { settings })).toMatchObject({ max_tokens: 1000 });
    expect(build({}, { settings, model: "claude-a" })).toMatchObject({ max_tokens: 2000 });
  });

  it("leaves the length to the model if the call does, unless the operator set a limit", () => {
    const settings = { ...DEFAULT_SETTINGS, claudeDefaultMaxTokens: { default: 8192, "claude-a": 2000 } };
    const limit = (given: object) => build({}, { settings, outputTokensMax: 64_000, ...given })["max_tokens"];
    expect(limit({})).toBe(64_000);
    expect(limit({ outputTokensMax: undefined })).toBe(8192);
    expect(limit({ model: "claude-a" })).toBe(2000);
    expect(limit({ settings: { ...settings, claudeDefaultMaxTokens: { default: 9000 } } })).toBe(9000);
    expect(build({ maxOutputTokens: 5 }, { settings, outputTokensMax: 64_000 })).toMatchObject({ max_tokens: 5 });
    const model = "claude-sonnet-4-5";
    const reasoning = { effort: "high" } as const;
    expect(build({ reasoning }, { settings, model, outputTokensMax: 64_000 })).toMatchObject({
      max_tokens: 64_000,
      thinking: { type: "enabled", budget_tokens: 16_384 },
    });
  });

  it("alternates roles, begins with the user, and has no empty blocks", () => {
    const messages: ChatMessage[] = [
      text("assistant", "Hello"),
      text("user", "a"),
      text("user", "b"),
      { role: "assistant", parts: [{ type: "text", text: "" }] },
      text("user", " \n"),
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

  it("requests a schema by output_config, or by a forced tool for models without it", () => {
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

  it("is refused for features that Anthropic does not support", () => {
    const audio: ChatMessage = { role: "user", parts: [{ type: "audio", format: "wav", data: "AAAA" }] };
    expect(() => build({ messages: [audio] })).toThrowError(expect.objectContaining({ code: "invalid_request" }));
    expect(() => build({ candidateCount: 2 })).toThrowError(expect.objectContaining({ param: "n" }));
  });
});
