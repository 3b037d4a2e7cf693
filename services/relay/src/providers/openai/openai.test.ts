import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { readResponse } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { Provider } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { openai, stream } from "./__fixtures__/openai.ts";

/** Parses chunks given as objects, followed by `[DONE]`. */
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

describe("OpenAI provider response", () => {
  it.each(["text", "tools", "reasoning"])("is parsed completely: %s", (name) => {
    expect(openai.parseResponse(readResponse("openai", name))).toMatchSnapshot();
  });

  it("is a failure if it is an error or anything else", () => {
    expect(() => openai.parseResponse({ error: { message: "no", code: 429 } })).toThrowError(
      expect.objectContaining({ status: 429, message: "no" }),
    );
    for (const body of ["<html>", null, {}, { choices: "none" }]) {
      expect(() => openai.parseResponse(body)).toThrowError(StreamFailure);
    }
  });

  it("is parsed as far as possible if fields are missing", () => {
    const none = { choices: [{ message: {} }] };
    expect(openai.parseResponse(none)).toMatchObject({ parts: [], finishDetail: "no finish reason", usage: undefined });
    expect(() => openai.parseResponse({ choices: [] })).toThrow(StreamFailure);
    const calls = [{ function: { name: "f" } }];
    expect(
      openai.parseResponse({ choices: [{ message: { tool_calls: calls }, finish_reason: "stop" }] }),
    ).toMatchObject({
      parts: [{ type: "tool-call", id: expect.stringMatching(/^call_/), argumentsText: "" }],
      finishReason: "tool-calls",
    });
  });

  it("contains its citations, non-streaming and streaming", () => {
    const page = { start_index: 0, end_index: 2, title: "X", url: "https://x.test" };
    const annotations = [{ type: "url_citation", url_citation: page }];
    const citations = [{ startIndex: 0, endIndex: 2, title: "X", url: "https://x.test" }];
    const message = { content: "Hi", annotations };
    expect(openai.parseResponse({ choices: [{ message, finish_reason: "stop" }] })).toMatchObject({ citations });
    const { parts } = readChunks([delta({ content: "Hi" }), delta({ annotations }, "stop")]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", citations });
  });

  it("keeps upstream's text of a refusal but not the key", () => {
    expect(openai.parseError(401, readResponse("openai", "error"))).toEqual({
      message: "Incorrect API key provided: [key]. You can find your API key at [address].",
      type: "invalid_request_error",
      code: "invalid_api_key",
      param: undefined,
    });
    expect(openai.parseError(502, "<html>bad gateway</html>").message).toBe("bad response status code 502");
  });
});

describe("OpenAI provider stream", () => {
  it.each(["text", "tools", "reasoning"])("is parsed the same at any chunk boundary: %s", (name) => {
    const complete = stream(name);
    expect(complete).toMatchSnapshot();
    for (const pieceBytes of [1, 7, 64]) expect(stream(name, pieceBytes)).toEqual(complete);
  });

  it("fails if it ends with an error", () => {
    expect(() => stream("error")).toThrowError(
      expect.objectContaining({ upstream: expect.objectContaining({ type: "server_error" }), status: 502 }),
    );
    const reader = openai.newStreamReader();
    expect(() => reader.read({ event: "error", data: '{"message":"gone"}' })).toThrowError(StreamFailure);
    expect(() => openai.newStreamReader().read({ event: undefined, data: '{"cho' })).toThrowError(StreamFailure);
  });

  it("finishes with the usage chunk and is complete with [DONE]", () => {
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

  it("is complete without [DONE] only if the provider may omit it and the usage followed the finish", () => {
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    const read = (chunks: readonly object[], provider = findProvider(8) as Provider): boolean => {
      const reader = provider.newStreamReader();
      for (const chunk of chunks) reader.read({ event: undefined, data: JSON.stringify(chunk) });
      reader.end();
      return reader.isComplete();
    };
    expect(read([delta({ content: "x" }, "stop"), usage])).toBe(true);
    expect(read([delta({ content: "x" }, "stop")])).toBe(false);
    expect(read([delta({ content: "x" })])).toBe(false);
    expect(read([delta({ content: "x" }, "stop"), usage], openai)).toBe(false);
  });

  it("finishes without usage if none is reported", () => {
    expect(readChunks([delta({ content: "x" }, "length")]).parts.at(-1)).toEqual({
      type: "finish",
      reason: "length",
      usage: undefined,
    });
  });

  it("uses the last usage if every chunk has one", () => {
    const usage = (n: number) => ({ usage: { prompt_tokens: 3, completion_tokens: n } });
    const { parts } = readChunks([
      { ...delta({ content: "a" }), ...usage(1) },
      { ...delta({ content: "b" }, "stop"), ...usage(2) },
    ]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 3, completionTokens: 2 } });
  });

  it("emits nothing for empty choices before the content, as sent by Azure", () => {
    expect(readChunks([{ id: "i", model: "m", choices: [], prompt_filter_results: [] }]).parts[0]).toEqual({
      type: "start",
      id: "i",
      model: "m",
    });
  });

  it("numbers tool calls from 0 in order of appearance, including several in one chunk", () => {
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

  it("separates calls that share an index or have none", () => {
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

  it("creates an id for calls without one, and waits for a late name", () => {
    const { parts } = readChunks([
      delta({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { name: "f", arguments: ":1}" } }] }),
    ]);
    expect(parts.slice(1, 3)).toEqual([
      { type: "tool-call-start", index: 0, id: expect.stringMatching(/^call_/), name: "f" },
      { type: "tool-call-delta", index: 0, argumentsText: '{"a":1}' },
    ]);
  });

  it("reads legacy function calls as tool calls", () => {
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

  it("passes on cut-off arguments unchanged", () => {
    const { parts } = readChunks([
      delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: '{"a": "b' } }] }),
      delta({}, "length"),
    ]);
    expect(parts.slice(2)).toMatchObject([{ argumentsText: '{"a": "b' }, { type: "finish", reason: "length" }]);
  });
});

describe("text extraction from OpenAI chunks", () => {
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
    ["half an event before it", chunk("y").slice(0, 90) + chunk("x")],
    ["an escape that is none", chunk("x").replace('"x"', '"\\q"')],
    ["no text", chunk(null)],
    ["the end mark", "[DONE]"],
  ])("leaves an event with %s to the parser", (_, data) => {
    const { reader, skim } = skimmer();
    expect(skim(chunk("first"))).toBeUndefined();
    reader.read({ event: undefined, data: chunk("first") });
    expect(skim(chunk("second"))).toBe("second");
    expect(skim(data)).toBeUndefined();
  });
});

it("counts only the prompt of responses without completion tokens, under either name of the total", () => {
  const getUsage = (name: "openai-embeddings" | "openai-moderations", usage: object) =>
    openai.endpoints?.[name]?.parseResponse({ data: [], results: [], usage }).usage;
  for (const name of ["openai-embeddings", "openai-moderations"] as const) {
    expect(getUsage(name, { total_tokens: 1_234 })).toMatchObject({ promptTokens: 1_234, completionTokens: 0 });
    const both = { prompt_tokens: 7, total_tokens: 9 };
    expect(getUsage(name, both)).toMatchObject({ promptTokens: 7, completionTokens: 0 });
  }
});
