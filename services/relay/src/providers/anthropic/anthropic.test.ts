import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../core/chat/chat.ts";
import { anthropicMessages } from "../../dialects/anthropic-messages/anthropic-messages.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { DEFAULT_SETTINGS, readResponse } from "../shared/fixtures.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { anthropic } from "./anthropic.ts";
import { MODEL, target, build, stream, text } from "./anthropic-fixtures.ts";

describe("Anthropic sampling", () => {
  const sampling = { temperature: 0.5, topP: 0.9, topK: 5 };

  it.each([
    ["claude-3-5-sonnet-20241022", { temperature: 0.5, top_p: 0.9, top_k: 5 }],
    ["claude-sonnet-4-5-20250929", { temperature: 0.5, top_k: 5 }],
    ["claude-opus-4-6", { temperature: 0.5, top_k: 5 }],
    ["claude-opus-4-7", {}],
    ["claude-sonnet-5-5", {}],
    ["claude-fable-5", {}],
  ])("is restricted to what %s accepts", (model, expected) => {
    const { temperature, top_p, top_k } = build(sampling, { model });
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(expected);
  });

  it("is omitted with reasoning", () => {
    const body = build({ ...sampling, reasoning: { effort: "low" } });
    expect(body).not.toHaveProperty("temperature");
    expect(body).not.toHaveProperty("top_p");
    expect(body).not.toHaveProperty("top_k");
  });
});

describe("Anthropic reasoning", () => {
  it.each([
    // With budgets: the caller's token limit is kept if possible; without one, room for the response is added.
    [MODEL, { effort: "low" }, undefined, { max_tokens: 10_240, thinking: { type: "enabled", budget_tokens: 2048 } }],
    [MODEL, { effort: "high" }, 4000, { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 3200 } }],
    [MODEL, { effort: "high" }, 1280, { max_tokens: 1280, thinking: { type: "enabled", budget_tokens: 1024 } }],
    [MODEL, { budgetTokens: 5000 }, 9000, { max_tokens: 9000, thinking: { type: "enabled", budget_tokens: 5000 } }],
    [MODEL, { budgetTokens: 5000 }, 3000, { max_tokens: 3000, thinking: { type: "enabled", budget_tokens: 2999 } }],
    [MODEL, { effort: "none" }, 100, { max_tokens: 100 }],
    // Budget and adaptive.
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
    // Disabled.
    ["claude-sonnet-5", { budgetTokens: 0 }, 100, { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", { budgetTokens: 0 }, 100, { thinking: { type: "between_tools" } }],
    ["claude-opus-5-5", { effort: "none" }, 100, { output_config: { effort: "low" } }],
    ["claude-fable-5", { effort: "none" }, 100, { output_config: { effort: "low" } }],
  ] as const)("of %s with %j and limit %j", (model, reasoning, bound, expected) => {
    const body = build({ reasoning, ...(bound === undefined ? {} : { maxOutputTokens: bound }) }, { model });
    const { max_tokens, thinking, output_config } = body;
    expect({ max_tokens, thinking, output_config }).toEqual({ max_tokens: bound, ...expected });
  });

  it("is enabled by the name's suffix, with the site's share as budget", () => {
    expect(
      build({ maxOutputTokens: 2000, temperature: 0.2 }, { model: "claude-3-7-sonnet-20250219-thinking" }),
    ).toEqual({
      model: "claude-3-7-sonnet-20250219",
      max_tokens: 2000,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      thinking: { type: "enabled", budget_tokens: 1600 },
    });
    expect(build({}, { model: "claude-opus-4-8-thinking" })).toMatchObject({
      model: "claude-opus-4-8",
      thinking: { type: "adaptive" },
    });
  });

  it("keeps the suffix in the name if the adapter is off", () => {
    const settings = { ...DEFAULT_SETTINGS, claudeThinkingAdapter: { enabled: false, budgetShare: 0.8 } };
    const body = build({}, { model: "x-thinking", settings });
    expect(body).toMatchObject({ model: "x-thinking" });
    expect(body).not.toHaveProperty("thinking");
  });

  it("is omitted if a forced tool rules it out", () => {
    const tools = [{ name: "f", parameters: {} }];
    expect(build({ reasoning: { effort: "high" }, tools, toolChoice: { type: "required" } })).not.toHaveProperty(
      "thinking",
    );
  });

  it("is omitted with a budget if the call to continue has no signed reasoning", () => {
    const call = { type: "tool-call", id: "c", name: "f", argumentsText: "{}" } as const;
    const response: ChatMessage = { role: "user", parts: [{ type: "tool-result", id: "c", parts: [] }] };
    const fields = { reasoning: { effort: "low" }, tools: [{ name: "f", parameters: {} }] } as const;
    const unsigned: ChatMessage[] = [text("user", "a"), { role: "assistant", parts: [call] }, response];
    expect(build({ ...fields, messages: unsigned })).not.toHaveProperty("thinking");
    const reasoning = { type: "reasoning", text: "hm", signature: "s" } as const;
    const signed: ChatMessage[] = [text("user", "a"), { role: "assistant", parts: [reasoning, call] }, response];
    expect(build({ ...fields, messages: signed })).toHaveProperty("thinking");
    expect(build({ ...fields, messages: unsigned }, { model: "claude-opus-4-7" })).toHaveProperty("thinking");
  });
});

describe("pass-through body to Anthropic", () => {
  it("is unchanged without a suffix", () => {
    const body = { model: MODEL, messages: [] };
    expect(anthropic.adaptBody?.(body, target())).toBe(body);
  });

  it("keeps its unknown fields with a suffix", () => {
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

describe("Anthropic provider response", () => {
  it.each(["text", "tools", "reasoning"])("is parsed completely: %s", (name) => {
    expect(anthropic.parseResponse(readResponse("anthropic", name))).toMatchSnapshot();
  });

  it("counts the cached parts in the prompt", () => {
    expect(anthropic.parseResponse(readResponse("anthropic", "text")).usage).toMatchObject({
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
    ["pause_turn", "paused"],
    ["compaction", "paused"],
    ["of_the_future", "other"],
  ])("maps stop reason %s to %s", (word, finishReason) => {
    const body = { content: [], stop_reason: word, stop_sequence: null };
    expect(anthropic.parseResponse(body)).toMatchObject({ finishReason, usage: undefined });
  });

  it("is a failure if it is an error or anything else", () => {
    expect(() => anthropic.parseResponse(readResponse("anthropic", "error"))).toThrowError(
      expect.objectContaining({ status: 429 }),
    );
    expect(() => anthropic.parseResponse("<html>")).toThrowError(StreamFailure);
    expect(() => anthropic.parseResponse({ content: "x" })).toThrowError(StreamFailure);
  });

  it("keeps upstream's text of a refusal", () => {
    expect(anthropic.parseError(429, readResponse("anthropic", "error"))).toMatchObject({ type: "rate_limit_error" });
  });

  it("keeps its error details for Anthropic callers, without keys and addresses", () => {
    const details = { error_code: "thread_not_found", seen: ["at https://host/x"] };
    const upstream = anthropic.parseError(404, { error: { type: "not_found_error", message: "no", details } });
    const failure = new RelayError("upstream_error", upstream.message, { status: 404, upstream });
    const ownItem = { error_code: "thread_not_found", seen: ["at [address]"] };
    expect(anthropicMessages.writeError(failure, "r")).toMatchObject({ error: { details: ownItem } });
    expect(openAiChat.writeError(failure, "r")).not.toHaveProperty("error.details");
  });
});

describe("Anthropic provider stream", () => {
  it.each(["text", "tools", "reasoning"])("is parsed the same at any chunk boundary: %s", (name) => {
    const complete = stream(name);
    expect(complete).toMatchSnapshot();
    for (const pieceBytes of [1, 7, 64]) expect(stream(name, pieceBytes)).toEqual(complete);
  });

  it("fails with the error's status if it ends with an error", () => {
    expect(() => stream("error")).toThrowError(expect.objectContaining({ message: "Overloaded", status: 529 }));
    expect(() => anthropic.newStreamReader().read({ event: "ping", data: '{"ty' })).toThrowError(StreamFailure);
  });

  it("is complete with message_stop, not before", () => {
    const reader = anthropic.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    read({ type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } });
    read({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } });
    expect(reader.isComplete()).toBe(false);
    expect(read({ type: "message_stop" })).toMatchObject([{ type: "finish", usage: { promptTokens: 5 } }]);
    expect(reader.isComplete()).toBe(true);
    expect(reader.end()).toEqual([]);
  });

  it("counts usage by the last value of each number, never by their sum", () => {
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

  it("counts the summary of a compaction, whose usage is not known before the end", () => {
    const reader = anthropic.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    read({ type: "message_start", message: { id: "m", usage: { input_tokens: 30 } } });
    expect(reader.usageSoFar?.()).not.toHaveProperty("iterations");
    expect(
      read({ type: "content_block_start", index: 0, content_block: { type: "compaction", content: null } }),
    ).toEqual([]);
    expect(reader.usageSoFar?.()).toMatchObject({
      promptTokens: 30,
      iterations: [{ kind: "compaction", usage: { promptTokens: 0, completionTokens: 0 } }],
    });
    const delta = { type: "compaction_delta", content: "So far." };
    expect(read({ type: "content_block_delta", index: 0, delta })).toEqual([{ type: "other-output", text: "So far." }]);
    const iterations = [{ type: "compaction", input_tokens: 900, output_tokens: 4 }];
    read({ type: "message_delta", delta: {}, usage: { input_tokens: 30, output_tokens: 1, iterations } });
    expect(reader.usageSoFar?.()?.iterations).toMatchObject([{ usage: { promptTokens: 900, completionTokens: 4 } }]);
  });

  it("omits server tools and numbers the caller's tools from 0", () => {
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

describe("text of an Anthropic stream, read without parsing its events", () => {
  const delta = (text: unknown, index = 0): string =>
    JSON.stringify({ type: "content_block_delta", index, delta: { type: "text_delta", text } });
  const begin = () => {
    const reader = anthropic.newStreamReader();
    const start = JSON.stringify({ type: "message_start", message: { id: "m", usage: { input_tokens: 5 } } });
    const skim = (data: string, event = "content_block_delta") => reader.skim?.({ event, data });
    return { reader, skim, start: () => reader.read({ event: "message_start", data: start }) };
  };

  it.each(["hello", "", 'he said "hi" \\ and left\\', "new\nline", "你好 \u{1F600}", '"delta":{}'])(
    "is found: %j",
    (text) => {
      const { skim, start } = begin();
      start();
      for (const data of [delta(text), delta(text, 1), `${delta(text).slice(0, -1)}    }`])
        expect(skim(data)).toBe(text);
    },
  );

  it.each([
    [
      "another kind of delta",
      '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}',
    ],
    ["a type of its own", delta("x").replace("content_block_delta", "error")],
    ["a field behind the text", delta("x").replace(/\}\}$/, ',"citations":[]}}')],
    ["a cut", delta("x").slice(0, -2)],
    ["an escape that is none", delta("x").replace('"x"', '"\\q"')],
    ["no text", delta(null)],
  ])("is left to the parser in an event with %s", (_, data) => {
    const { skim, start } = begin();
    expect(skim(delta("early"))).toBeUndefined();
    start();
    expect(skim(delta("x"), "ping")).toBeUndefined();
    expect(skim(delta("second"))).toBe("second");
    expect(skim(data)).toBeUndefined();
  });

  it("moves the places of citations", () => {
    const read = (isSkimmed: boolean) => {
      const { reader, skim, start } = begin();
      const citation = { type: "web_search_result_location", url: "https://a.example", title: "a" };
      start();
      if (isSkimmed) skim(delta("some text"));
      else reader.read({ event: "content_block_delta", data: delta("some text") });
      const cited = { type: "content_block_delta", index: 0, delta: { type: "citations_delta", citation } };
      reader.read({ event: cited.type, data: JSON.stringify(cited) });
      reader.read({ event: "content_block_stop", data: '{"type":"content_block_stop","index":0}' });
      return reader.end();
    };
    expect(read(true)).toEqual(read(false));
    expect(read(true)).toMatchObject([{ citations: [{ startIndex: 0, endIndex: 9 }] }]);
  });
});
