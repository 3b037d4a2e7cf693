import { describe, expect, it } from "vitest";
import { targetFor } from "../shared/fixtures.ts";
import { build, openai } from "./__fixtures__/openai.ts";

describe("OpenAI provider request", () => {
  it("carries everything the caller sent", () => {
    const body = build({
      system: [
        { type: "text", text: "Be brief." },
        { type: "text", text: "Be kind." },
      ],
      stream: true,
      maxOutputTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      stop: ["END"],
      seed: 7,
      tools: [{ name: "f", description: "d", parameters: { type: "object" }, strict: true }],
      toolChoice: { type: "tool", name: "f" },
      parallelToolCalls: false,
      responseFormat: { type: "json-schema", name: "n", schema: { type: "object" }, strict: true },
      user: "u1",
      messages: [
        {
          role: "user",
          parts: [
            { type: "text", text: "What?" },
            { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" }, detail: "low" },
            { type: "image", source: { kind: "url", url: "https://example.com/a.png" } },
            { type: "audio", format: "wav", data: "BBBB" },
            { type: "file", name: "a.pdf", mediaType: "application/pdf", data: "CCCC" },
          ],
        },
        {
          role: "assistant",
          parts: [
            { type: "reasoning", text: "hm", signature: "s" },
            { type: "tool-call", id: "c1", name: "f", argumentsText: "" },
            { type: "tool-call", id: "c2", name: "f", argumentsText: '{"a":1}' },
          ],
        },
        {
          role: "user",
          parts: [
            { type: "tool-result", id: "c1", name: "f", parts: [{ type: "text", text: "one" }] },
            {
              type: "tool-result",
              id: "c2",
              parts: [{ type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } }],
            },
            { type: "text", text: "Go on." },
          ],
        },
      ],
    });
    expect(body).toMatchInlineSnapshot(`
      {
        "max_tokens": 100,
        "messages": [
          {
            "content": "Be brief.

      Be kind.",
            "role": "system",
          },
          {
            "content": [
              {
                "text": "What?",
                "type": "text",
              },
              {
                "image_url": {
                  "detail": "low",
                  "url": "data:image/png;base64,AAAA",
                },
                "type": "image_url",
              },
              {
                "image_url": {
                  "url": "https://example.com/a.png",
                },
                "type": "image_url",
              },
              {
                "input_audio": {
                  "data": "BBBB",
                  "format": "wav",
                },
                "type": "input_audio",
              },
              {
                "file": {
                  "file_data": "data:application/pdf;base64,CCCC",
                  "filename": "a.pdf",
                },
                "type": "file",
              },
            ],
            "role": "user",
          },
          {
            "content": null,
            "role": "assistant",
            "tool_calls": [
              {
                "function": {
                  "arguments": "{}",
                  "name": "f",
                },
                "id": "c1",
                "type": "function",
              },
              {
                "function": {
                  "arguments": "{"a":1}",
                  "name": "f",
                },
                "id": "c2",
                "type": "function",
              },
            ],
          },
          {
            "content": "one",
            "role": "tool",
            "tool_call_id": "c1",
          },
          {
            "content": "",
            "role": "tool",
            "tool_call_id": "c2",
          },
          {
            "content": [
              {
                "image_url": {
                  "url": "data:image/png;base64,AAAA",
                },
                "type": "image_url",
              },
              {
                "text": "Go on.",
                "type": "text",
              },
            ],
            "role": "user",
          },
        ],
        "model": "gpt-4o",
        "parallel_tool_calls": false,
        "response_format": {
          "json_schema": {
            "name": "n",
            "schema": {
              "type": "object",
            },
            "strict": true,
          },
          "type": "json_schema",
        },
        "seed": 7,
        "stop": [
          "END",
        ],
        "stream": true,
        "stream_options": {
          "include_usage": true,
        },
        "temperature": 0.5,
        "tool_choice": {
          "function": {
            "name": "f",
          },
          "type": "function",
        },
        "tools": [
          {
            "function": {
              "description": "d",
              "name": "f",
              "parameters": {
                "properties": {},
                "type": "object",
              },
              "strict": true,
            },
            "type": "function",
          },
        ],
        "top_p": 0.9,
        "user": "u1",
      }
    `);
  });

  it("requests usage in every stream, and only there", () => {
    expect(build({ stream: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(build({})).not.toHaveProperty("stream_options");
  });

  it("omits the tool choice if there are no tools", () => {
    expect(build({ toolChoice: { type: "auto" }, parallelToolCalls: true })).not.toHaveProperty("tool_choice");
  });

  it.each([
    ["o1", { max_completion_tokens: 10 }, "developer"],
    ["o1-mini", { max_completion_tokens: 10 }, "system"],
    ["o3-mini", { max_completion_tokens: 10 }, "developer"],
    ["o4-mini", { max_completion_tokens: 10 }, "developer"],
    ["gpt-5-mini", { max_completion_tokens: 10 }, "system"],
    ["gpt-5.1", { max_completion_tokens: 10, temperature: 0.5 }, "system"],
    ["gpt-5-chat-latest", { max_completion_tokens: 10, temperature: 0.5 }, "system"],
    ["gpt-4o", { max_tokens: 10, temperature: 0.5 }, "system"],
  ])("follows the rules of %s", (model, expected, role) => {
    const body = build({ system: [{ type: "text", text: "s" }], maxOutputTokens: 10, temperature: 0.5 }, model);
    const { max_tokens, max_completion_tokens, temperature } = body;
    expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens, temperature }))).toEqual(expected);
    expect(body).toMatchObject({ model, messages: [{ role }, {}] });
  });

  it.each([
    ["o3", { effort: "high" }, "high"],
    ["o3", { effort: "none" }, "low"],
    ["o3", { budgetTokens: 0 }, "low"],
    ["o3", { budgetTokens: 2000 }, "low"],
    ["o3", { budgetTokens: 10_000 }, "medium"],
    ["o3", { budgetTokens: 30_000 }, "high"],
    ["o3", { effort: "max" }, "high"],
    ["gpt-5", { effort: "none" }, "minimal"],
    ["gpt-5.1", { effort: "none" }, "none"],
    ["gpt-5.1", { effort: "minimal" }, "low"],
    ["gpt-5.2", { effort: "max" }, "xhigh"],
    ["gpt-5.6-sol", { effort: "max" }, "max"],
    ["gpt-4o", { effort: "high" }, undefined],
    ["deepseek-reasoner", { effort: "high" }, "high"],
    ["deepseek-reasoner", { budgetTokens: 0 }, undefined],
    ["o3", {}, "high"],
  ] as const)("for %s with reasoning %j requests effort %s", (model, reasoning, effort) => {
    expect(build({ reasoning }, model)["reasoning_effort"]).toBe(effort);
  });

  it("derives the effort from the name's suffix", () => {
    expect(build({}, "o3-mini-high")).toMatchObject({ model: "o3-mini", reasoning_effort: "high" });
    expect(build({}, "gpt-4o-high")).toMatchObject({ model: "gpt-4o-high" });
  });

  it("is refused for features that one response cannot provide", () => {
    expect(() => build({ candidateCount: 2 })).toThrowError(expect.objectContaining({ param: "n" }));
  });
});

describe("pass-through body to OpenAI", () => {
  it("is unchanged if nothing has to change", () => {
    const body = { model: "x", max_tokens: 5, messages: [], anything: 1 };
    expect(openai.adaptBody?.(body, targetFor({ model: "gpt-4o" }))).toBe(body);
    const modern = { model: "x", max_completion_tokens: 5, messages: [] };
    expect(openai.adaptBody?.(modern, targetFor({ model: "o3" }))).toBe(modern);
  });

  it("keeps its unknown fields under the rules of the model", () => {
    const body = {
      model: "x",
      max_tokens: 5,
      temperature: 0,
      messages: [{ role: "system", content: "s" }],
      anything: 1,
    };
    expect(openai.adaptBody?.(body, targetFor({ model: "o3-mini-low" }))).toEqual({
      model: "o3-mini",
      reasoning_effort: "low",
      max_completion_tokens: 5,
      messages: [{ role: "developer", content: "s" }],
      anything: 1,
    });
  });
});
