import { describe, expect, it } from "vitest";
import type { Json, StreamPart } from "../../core/chat/chat.ts";
import { provider, getStream } from "./fixtures.ts";

const delta = (content: unknown, finish: string | null = null, more: object = {}): object => ({
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
  ...more,
});
const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const getText = (parts: readonly StreamPart[]): string =>
  parts.flatMap((part) => (part.type === "text-delta" ? [part.text] : [])).join("");

describe("streams", () => {
  it("does not repeat MiniMax's text, and has the usage of its last chunk", () => {
    const { parts, isComplete } = getStream(35, [
      delta("Hel", null, { usage: { total_tokens: 0 } }),
      delta("lo", "stop"),
      {
        object: "chat.completion",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hello" } }],
        usage: USAGE,
        base_resp: { status_code: 0, status_msg: "" },
      },
    ]);
    expect(getText(parts)).toBe("Hello");
    expect(parts.at(-1)).toMatchObject({ type: "finish", usage: { promptTokens: 5, completionTokens: 2 } });
    expect(isComplete).toBe(true);
  });

  it("has the usage that Moonshot sends in the last choice", () => {
    const { parts } = getStream(25, [
      delta("a"),
      { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: USAGE }] },
      "[DONE]",
    ]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 5, completionTokens: 2 } });
  });

  it.each([
    ["Moonshot's, reported at the top level", 25, { cached_tokens: 3 }, { cacheReadTokens: 3 }],
    [
      "Ali's, with what went into an explicit cache",
      17,
      {
        prompt_tokens_details: {
          cached_tokens: 1,
          cache_type: "ephemeral",
          cache_creation_input_tokens: 2,
          cache_creation: { ephemeral_5m_input_tokens: 2 },
        },
      },
      { cacheReadTokens: 1, cacheWriteTokens: 2 },
    ],
  ])("reports the cached tokens: %s", (_, type, request, read) => {
    const { parts } = getStream(type, [delta("a", "stop", { usage: { ...USAGE, ...request } }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 5, completionTokens: 2, ...read } });
  });

  it("ignores FastGPT's usage, which means nothing", () => {
    const ones = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1 };
    const { parts, isComplete } = getStream(22, [delta("a"), delta("", "stop", { usage: ones }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", usage: undefined });
    expect(isComplete).toBe(true);
  });

  it("is complete with the finish reason for Perplexity, and only with the end mark for others", () => {
    const chunks = [delta("a", null, { usage: USAGE }), delta("", "stop", { usage: USAGE })];
    expect(getStream(27, chunks).isComplete).toBe(true);
    expect(getStream(40, chunks).isComplete).toBe(false);
  });

  it("finds the reasoning of Mistral's models in the content", () => {
    const { parts } = getStream(42, [
      delta([{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }]),
      delta([{ type: "text", text: "yes" }], "stop", { usage: USAGE }),
      "[DONE]",
    ]);
    expect(parts).toContainEqual({ type: "reasoning-delta", text: "hm" });
    expect(getText(parts)).toBe("yes");
  });

  it("re-encodes the content of Mistral's reasoning models for OpenAI callers, which do not support lists", () => {
    const rewrites = (model: string) => provider(42).forModel?.(model).responses?.rewritesResponses;
    expect([rewrites("magistral-medium-latest"), rewrites("mistral-large-latest")]).toEqual([true, undefined]);
  });

  it.each<[number, Json, string]>([
    [40, { code: 50501, message: "System is really busy", data: null }, "System is really busy"],
    [39, { success: false, errors: [{ code: 7009, message: "No route" }] }, "No route"],
    [47, { detail: "oops" }, "oops"],
  ])("of type %i fails on an event that contains only an error message: %j", (type, event, message) => {
    const failure = expect.objectContaining({ status: 502, upstream: expect.objectContaining({ message }) });
    expect(() => getStream(type, [event, "[DONE]"])).toThrow(failure);
    expect(() => provider(type).parseResponse(event)).toThrow(failure);
  });

  it("fails on OpenRouter's error within a choice", () => {
    const choice = { index: 0, finish_reason: "error", error: { code: 502, message: "no" }, message: { content: "" } };
    expect(() => provider(20).parseResponse({ choices: [choice] })).toThrow(expect.objectContaining({ status: 502 }));
  });

  it("counts as filtered if it finishes with sensitive", () => {
    const { parts } = getStream(26, [delta("a", "sensitive", { usage: USAGE }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "content-filter" });
  });

  it.each([
    ["model_length", "length"],
    ["insufficient_system_resource", "other"],
    ["network_error", "other"],
    ["abort", "other"],
    ["error", "other"],
  ])("is not complete if it finishes with %s", (word, reason) => {
    const { parts } = getStream(42, [delta("a", word, { usage: USAGE }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason });
  });

  it.each([
    ["eos_token", "stop"],
    ["stop_sequence", "stop-sequence"],
    ["max_tokens", "length"],
  ])("is complete if it finishes with %s, a reason of other formats", (word, reason) => {
    const { parts } = getStream(8, [delta("a", word, { usage: USAGE }), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason });
  });

  it("accepts Azure's first chunk, which has no choices", () => {
    const { parts } = getStream(3, [
      { id: "", model: "", choices: [], prompt_filter_results: [] },
      { id: "chatcmpl-1", model: "gpt-4o", ...delta("a", "stop") },
      { choices: [], usage: USAGE },
      "[DONE]",
    ]);
    expect(parts.map(({ type }) => type)).toEqual(["start", "text-delta", "finish"]);
    expect(parts[0]).toMatchObject({ id: "chatcmpl-1", model: "gpt-4o" });
  });

  it("starts a stream that has no other chunk than that", () => {
    const { parts } = getStream(3, [{ id: "", model: "", choices: [], prompt_filter_results: [] }, "[DONE]"]);
    expect(parts.map(({ type }) => type)).toEqual(["start", "finish"]);
  });
});

describe("xAI usage", () => {
  it("adds the reasoning that the completion excludes", () => {
    const response = provider(48).parseResponse({
      choices: [{ message: { content: "a" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 45 },
    });
    expect(response.usage).toMatchObject({ promptTokens: 10, completionTokens: 35 });
  });
});
