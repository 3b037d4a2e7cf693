import { describe, expect, it } from "vitest";
import type { ChatRequest, StreamPart } from "../../chat/chat.ts";
import { readAnswer, readParts, readStreamBytes, targetFor } from "../fixtures.ts";
import { providerOf } from "../index.ts";
import { StreamFailure, type Provider } from "../provider.ts";

const openai = providerOf(1) as Provider;
const custom = providerOf(8) as Provider;

const request = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: "gpt-4o",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  ...fields,
});

const build = (fields: Partial<ChatRequest>, model = "gpt-4o") =>
  openai.buildRequest(request(fields), targetFor({ model })).json;

const stream = (name: string, pieceBytes?: number): StreamPart[] =>
  readParts(openai.newStreamReader(), readStreamBytes("openai", name), pieceBytes);

/** Parts of chunks given as objects, `[DONE]` behind them. */
function readChunks(chunks: readonly object[], isDone = true): { parts: StreamPart[]; isComplete: boolean } {
  const reader = openai.newStreamReader();
  const parts = chunks.flatMap((chunk) => reader.read({ event: undefined, data: JSON.stringify(chunk) }));
  if (isDone) parts.push(...reader.read({ event: undefined, data: "[DONE]" }));
  const isComplete = reader.isComplete();
  return { parts: [...parts, ...reader.end()], isComplete };
}

const delta = (fields: object, finishReason: string | null = null): object => ({
  choices: [{ index: 0, delta: fields, finish_reason: finishReason }],
});

describe("addresses of OpenAI-likes", () => {
  it.each([
    ["", "https://api.openai.com/v1/chat/completions"],
    ["http://localhost:9000", "http://localhost:9000/v1/chat/completions"],
    ["http://localhost:9000/v1", "http://localhost:9000/v1/chat/completions"],
    ["https://host/openai", "https://host/openai/v1/chat/completions"],
    [
      "https://gateway.ai.cloudflare.com/v1/account/gateway/openai",
      "https://gateway.ai.cloudflare.com/v1/account/gateway/openai/chat/completions",
    ],
  ])("of type 1 with base URL %j are %s", (baseUrl, url) => {
    expect(openai.address(targetFor({ baseUrl }), false).url).toBe(url);
  });

  it("of type 8 are the whole base URL with the model put in", () => {
    const target = targetFor({ channelType: 8, model: "a/b c", baseUrl: "http://host/x/{model}/chat/completions?v=1" });
    expect(custom.address(target, true).url).toBe("http://host/x/a%2Fb%20c/chat/completions?v=1");
    expect(custom.modelList?.({ ...target, baseUrl: "http://host/x/chat/completions" }).url).toBe(
      "http://host/x/models",
    );
    expect(custom.modelList?.({ ...target, baseUrl: "http://host/api/ask" }).url).toBe("http://host/v1/models");
  });

  it("carry the key, and the organization where one is set", () => {
    expect(openai.address(targetFor({}), false).headers).toEqual({
      "content-type": "application/json",
      authorization: "Bearer sk-upstream",
    });
    expect(openai.address(targetFor({ organization: "org-1" }), false).headers).toMatchObject({
      "openai-organization": "org-1",
    });
  });

  it("lead to the model list", () => {
    expect(openai.modelList?.(targetFor({})).url).toBe("https://api.openai.com/v1/models");
    expect(openai.parseModelList?.({ data: [{ id: "a" }, { id: "b" }, {}] })).toEqual(["a", "b"]);
    expect(openai.parseModelList?.("<html>")).toEqual([]);
  });
});

describe("requests to OpenAI", () => {
  it("say everything the caller said", () => {
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

  it("ask for usage in every stream, and only there", () => {
    expect(build({ stream: true })).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(build({})).not.toHaveProperty("stream_options");
  });

  it("leave the tool choice out where there are no tools", () => {
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
  ])("keep the rules of %s", (model, expected, role) => {
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
  ] as const)("of %s with reasoning %j ask for effort %s", (model, reasoning, effort) => {
    expect(build({ reasoning }, model)["reasoning_effort"]).toBe(effort);
  });

  it("take the effort off the name's suffix", () => {
    expect(build({}, "o3-mini-high")).toMatchObject({ model: "o3-mini", reasoning_effort: "high" });
    expect(build({}, "gpt-4o-high")).toMatchObject({ model: "gpt-4o-high" });
  });

  it("refuse what one answer cannot hold", () => {
    expect(() => build({ candidateCount: 2 })).toThrowError(expect.objectContaining({ param: "n" }));
  });
});

describe("bodies that go through to OpenAI", () => {
  it("are left alone where nothing has to change", () => {
    const body = { model: "x", max_tokens: 5, messages: [], anything: 1 };
    expect(openai.adaptBody?.(body, targetFor({ model: "gpt-4o" }))).toBe(body);
    const modern = { model: "x", max_completion_tokens: 5, messages: [] };
    expect(openai.adaptBody?.(modern, targetFor({ model: "o3" }))).toBe(modern);
  });

  it("keep their unknown fields under the rules of the model", () => {
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

describe("answers of OpenAI", () => {
  it.each(["text", "tools", "reasoning"])("are read whole: %s", (name) => {
    expect(openai.parseResponse(readAnswer("openai", name))).toMatchSnapshot();
  });

  it("that are errors or something else are failures", () => {
    expect(() => openai.parseResponse({ error: { message: "no", code: 429 } })).toThrowError(
      expect.objectContaining({ status: 429, message: "no" }),
    );
    for (const body of ["<html>", null, {}, { choices: "none" }]) {
      expect(() => openai.parseResponse(body)).toThrowError(StreamFailure);
    }
  });

  it("with missing pieces are read as far as they go", () => {
    expect(openai.parseResponse({ choices: [] })).toMatchObject({ parts: [], finishReason: "other", usage: undefined });
    const calls = [{ function: { name: "f" } }];
    expect(
      openai.parseResponse({ choices: [{ message: { tool_calls: calls }, finish_reason: "stop" }] }),
    ).toMatchObject({
      parts: [{ type: "tool-call", id: expect.stringMatching(/^call_/), argumentsText: "" }],
      finishReason: "tool-calls",
    });
  });

  it("that refuse keep upstream's words but not the key", () => {
    expect(openai.parseError(401, readAnswer("openai", "error"))).toEqual({
      message: "Incorrect API key provided: [key]. You can find your API key at [address].",
      type: "invalid_request_error",
      code: "invalid_api_key",
      param: undefined,
    });
    expect(openai.parseError(502, "<html>bad gateway</html>").message).toBe("bad response status code 502");
  });
});

describe("streams of OpenAI", () => {
  it.each(["text", "tools", "reasoning"])("are read the same wherever the bytes are cut: %s", (name) => {
    const whole = stream(name);
    expect(whole).toMatchSnapshot();
    for (const pieceBytes of [1, 7, 64]) expect(stream(name, pieceBytes)).toEqual(whole);
  });

  it("that break off with an error fail", () => {
    expect(() => stream("error")).toThrowError(
      expect.objectContaining({ upstream: expect.objectContaining({ type: "server_error" }), status: 502 }),
    );
    const reader = openai.newStreamReader();
    expect(() => reader.read({ event: "error", data: '{"message":"gone"}' })).toThrowError(StreamFailure);
    expect(() => openai.newStreamReader().read({ event: undefined, data: '{"cho' })).toThrowError(StreamFailure);
  });

  it("finish with the usage chunk and are complete with [DONE]", () => {
    const reader = openai.newStreamReader();
    const read = (chunk: object) => reader.read({ event: undefined, data: JSON.stringify(chunk) });
    expect(read(delta({ content: "x" }, "stop")).some((part) => part.type === "finish")).toBe(false);
    expect(read({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } })).toMatchObject([
      { type: "finish", reason: "stop", usage: { promptTokens: 1, completionTokens: 2 } },
    ]);
    expect(reader.isComplete()).toBe(false);
    expect(reader.read({ event: undefined, data: "[DONE]" })).toEqual([]);
    expect(reader.isComplete()).toBe(true);
    expect(reader.end()).toEqual([]);
  });

  it("without [DONE] are complete at their end only where the usage came behind the finish", () => {
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    const read = (chunks: readonly object[]): boolean => {
      const reader = openai.newStreamReader();
      for (const chunk of chunks) reader.read({ event: undefined, data: JSON.stringify(chunk) });
      reader.end();
      return reader.isComplete();
    };
    expect(read([delta({ content: "x" }, "stop"), usage])).toBe(true);
    expect(read([delta({ content: "x" }, "stop")])).toBe(false);
    expect(read([delta({ content: "x" })])).toBe(false);
  });

  it("finish without usage where none was told", () => {
    expect(readChunks([delta({ content: "x" }, "length")]).parts.at(-1)).toEqual({
      type: "finish",
      reason: "length",
      usage: undefined,
    });
  });

  it("count by the last usage where every chunk has one", () => {
    const usage = (n: number) => ({ usage: { prompt_tokens: 3, completion_tokens: n } });
    const { parts } = readChunks([
      { ...delta({ content: "a" }), ...usage(1) },
      { ...delta({ content: "b" }, "stop"), ...usage(2) },
    ]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 3, completionTokens: 2 } });
  });

  it("give nothing for empty choices before the answer, as Azure sends them", () => {
    expect(readChunks([{ id: "i", model: "m", choices: [], prompt_filter_results: [] }]).parts[0]).toEqual({
      type: "start",
      id: "i",
      model: "m",
    });
  });

  it("count tool calls from 0 in order of appearance, several in one chunk included", () => {
    const call = (index: number, id: string, args: string) => ({ index, id, function: { name: "f", arguments: args } });
    const { parts } = readChunks([
      delta({ content: "text first" }),
      delta({ tool_calls: [call(1, "a", "{}"), call(2, "b", '{"x"')] }),
      delta({ tool_calls: [{ index: 2, function: { arguments: ":1}" } }] }, "stop"),
    ]);
    expect(parts.slice(2)).toEqual([
      { type: "tool-call-start", index: 0, id: "a", name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: "{}" },
      { type: "tool-call-start", index: 1, id: "b", name: "f" },
      { type: "tool-call-delta", index: 1, argumentsText: '{"x"' },
      { type: "tool-call-delta", index: 1, argumentsText: ":1}" },
      { type: "finish", reason: "tool-calls", usage: undefined },
    ]);
  });

  it("tell calls apart that share an index or have none", () => {
    const { parts } = readChunks([
      delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] }),
      delta({ tool_calls: [{ index: 0, id: "b", function: { name: "g", arguments: "{}" } }] }),
      delta({ tool_calls: [{ id: "c", function: { name: "h", arguments: "" } }] }),
      delta({ tool_calls: [{ function: { arguments: "{}" } }] }),
    ]);
    expect(parts.filter(({ type }) => type === "tool-call-start")).toMatchObject([
      { index: 0, id: "a" },
      { index: 1, id: "b" },
      { index: 2, id: "c" },
    ]);
    expect(parts.at(-2)).toEqual({ type: "tool-call-delta", index: 2, argumentsText: "{}" });
  });

  it("make an id for calls without one, and wait for a name that comes late", () => {
    const { parts } = readChunks([
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { name: "f", arguments: ":1}" } }] }),
    ]);
    expect(parts.slice(1, 3)).toEqual([
      { type: "tool-call-start", index: 0, id: expect.stringMatching(/^call_/), name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"a":1}' },
    ]);
  });

  it("read legacy function calls as tool calls", () => {
    const { parts } = readChunks([
      delta({ function_call: { name: "f", arguments: "" } }),
      delta({ function_call: { arguments: "{}" } }, "function_call"),
    ]);
    expect(parts.slice(1)).toMatchObject([
      { type: "tool-call-start", index: 0, name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: "{}" },
      { type: "finish", reason: "tool-calls" },
    ]);
  });

  it("pass on arguments that were cut off as they are", () => {
    const { parts } = readChunks([
      delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"a": "b' } }] }),
      delta({}, "length"),
    ]);
    expect(parts.slice(2)).toMatchObject([{ argumentsText: '{"a": "b' }, { type: "finish", reason: "length" }]);
  });
});

describe("skimming streams of OpenAI", () => {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-4o" };
  const chunk = (content: unknown, fields: object = {}, choice: object = {}, before: object = {}) =>
    JSON.stringify({
      ...head,
      ...before,
      choices: [{ index: 0, delta: { content }, finish_reason: null, ...choice }],
      ...fields,
    });
  const skimmer = () => {
    const reader = openai.newStreamReader();
    const skim = (data: string) => reader.skim?.({ event: undefined, data });
    return { reader, skim };
  };

  it.each(["hello", "", 'he said "hi" \\ and left\\', "new\nline", "你好 \u{1F600}", '"error"'])(
    "finds the text of %j",
    (text) => {
      const { reader, skim } = skimmer();
      reader.read({ event: undefined, data: chunk("first") });
      for (const fields of [{}, { usage: null }, { usage: null, obfuscation: "aB3" }]) {
        expect(skim(chunk(text, fields))).toBe(text);
      }
    },
  );

  it.each([
    ["a finish", chunk("x", {}, { finish_reason: "stop" })],
    ["usage", chunk("x", { usage: { prompt_tokens: 1, completion_tokens: 1 } })],
    ["an error", chunk("x", {}, {}, { error: { message: "no" } })],
    ["an error behind it", chunk("x", { error: { message: "no" } })],
    [
      "a second choice",
      JSON.stringify({ ...head, choices: [{ index: 1, delta: { content: "x" }, finish_reason: null }] }),
    ],
    [
      "reasoning",
      JSON.stringify({ ...head, choices: [{ index: 0, delta: { content: "x", reasoning_content: "y" } }] }),
    ],
    ["a cut", chunk("x").slice(0, -20)],
    ["an escape that is none", chunk("x").replace('"x"', '"\\q"')],
    ["no text", chunk(null)],
    ["the end mark", "[DONE]"],
  ])("leaves an event with %s to be read", (_, data) => {
    const { reader, skim } = skimmer();
    expect(skim(chunk("first"))).toBeUndefined();
    reader.read({ event: undefined, data: chunk("first") });
    expect(skim(data)).toBeUndefined();
  });
});
