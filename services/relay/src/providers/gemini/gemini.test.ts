import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { DEFAULT_SETTINGS, readResponse } from "../shared/fixtures.ts";
import type { ProviderSettings } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { gemini } from "./gemini.ts";
import { target, request, type Body, build, stream } from "./gemini-fixtures.ts";

/** Generated ids are constant here, so that parts can be compared. */
const withoutIds = (parts: readonly StreamPart[]) =>
  parts.map((part) =>
    part.type === "tool-call-start" ? { ...part, id: part.id.replace(/^call_\w+$/, "call_") } : part,
  );

describe("Gemini reasoning", () => {
  it.each([
    ["gemini-2.5-flash", { effort: "low" }, { thinkingBudget: 1024, includeThoughts: true }],
    ["gemini-2.5-flash", { effort: "max" }, { thinkingBudget: 24_576, includeThoughts: true }],
    ["gemini-2.5-flash", { effort: "none" }, { thinkingBudget: 0, includeThoughts: false }],
    ["gemini-2.5-flash", {}, { thinkingBudget: -1, includeThoughts: true }],
    ["gemini-2.5-pro", { budgetTokens: 0 }, { thinkingBudget: 128, includeThoughts: false }],
    ["gemini-2.5-pro", { budgetTokens: 99_999 }, { thinkingBudget: 32_768, includeThoughts: true }],
    ["gemini-2.5-flash-lite", { budgetTokens: 100 }, { thinkingBudget: 512, includeThoughts: true }],
    ["gemini-2.5-flash-lite", { budgetTokens: 0 }, { thinkingBudget: 0, includeThoughts: false }],
    ["gemini-3-pro-preview", { effort: "medium" }, { thinkingLevel: "high", includeThoughts: true }],
    ["gemini-3.7-flash", { effort: "medium" }, { thinkingLevel: "medium", includeThoughts: true }],
    ["gemini-flash-latest", { effort: "none" }, { thinkingLevel: "low", includeThoughts: false }],
    ["gemini-2.0-flash", { effort: "high" }, undefined],
    ["gemini-2.5-flash-image", { effort: "high" }, undefined],
    ["gemma-3-27b-it", { effort: "high" }, undefined],
  ] as const)("maps %s with %j to %j", (model, reasoning, expected) => {
    expect(build({ reasoning }, { model }).generationConfig["thinkingConfig"]).toEqual(expected);
  });

  const adapter = (enabled: boolean): ProviderSettings => ({
    ...DEFAULT_SETTINGS,
    geminiThinkingAdapter: { enabled, budgetShare: 0.6, models: ["gemini-2.5-flash", "gemini-2.5-pro-thinking"] },
  });

  it.each([
    ["gemini-2.5-flash-thinking", 1000, "gemini-2.5-flash", { thinkingBudget: 600, includeThoughts: true }],
    ["gemini-2.5-flash-thinking", undefined, "gemini-2.5-flash", { thinkingBudget: -1, includeThoughts: true }],
    ["gemini-2.5-flash-thinking-777", 1000, "gemini-2.5-flash", { thinkingBudget: 777, includeThoughts: true }],
    ["gemini-2.5-flash-nothinking", 1000, "gemini-2.5-flash", { thinkingBudget: 0, includeThoughts: false }],
    ["gemini-2.5-pro-thinking", 1000, "gemini-2.5-pro", { thinkingBudget: 600, includeThoughts: true }],
    ["gemini-2.5-pro-thinking-777", 1000, "gemini-2.5-pro-thinking-777", undefined],
    ["gemini-2.0-flash-thinking-exp", 1000, "gemini-2.0-flash-thinking-exp", undefined],
  ])("maps the suffix of %s with limit %j to %s", (model, bound, upstream, expected) => {
    const given = target({ model, settings: adapter(true) });
    const { url, json } = gemini.buildRequest(request(bound === undefined ? {} : { maxOutputTokens: bound }), given);
    expect(url).toContain(`/models/${upstream}:`);
    expect((json as Body).generationConfig["thinkingConfig"]).toEqual(expected);
  });

  it("keeps suffixes in the name if the adapter is off", () => {
    const given = target({ model: "gemini-2.5-flash-thinking", settings: adapter(false) });
    expect(gemini.address(given, false).url).toContain("/models/gemini-2.5-flash-thinking:");
  });
});

describe("Gemini response", () => {
  it.each(["text", "reasoning"])("is parsed completely: %s", (name) => {
    expect(gemini.parseResponse(readResponse("gemini", name))).toMatchSnapshot();
  });

  it("gives each tool call an id, keeps the signature, and finishes with tool calls", () => {
    const { parts, finishReason, usage } = gemini.parseResponse(readResponse("gemini", "tools"));
    expect(parts).toEqual([
      {
        type: "tool-call",
        id: expect.stringMatching(/^call_\w{32}$/),
        name: "get_weather",
        argumentsText: '{"city":"Paris"}',
        signature: "EpEgCo4gAb4",
      },
      { type: "tool-call", id: expect.stringMatching(/^call_\w{32}$/), name: "get_time", argumentsText: "{}" },
    ]);
    expect(finishReason).toBe("tool-calls");
    expect(usage).toMatchObject({ promptTokens: 29, completionTokens: 95, reasoningTokens: 80 });
  });

  it("counts reasoning as output even if the candidates' count is missing", () => {
    const usageMetadata = { promptTokenCount: 10, totalTokenCount: 25, thoughtsTokenCount: 5 };
    expect(gemini.parseResponse({ candidates: [{}], usageMetadata }).usage).toMatchObject({ completionTokens: 15 });
    expect(gemini.parseResponse({ candidates: [{}], usageMetadata: { trafficType: "X" } }).usage).toBeUndefined();
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content-filter"],
    ["RECITATION", "content-filter"],
    ["PROHIBITED_CONTENT", "content-filter"],
    ["MALFORMED_FUNCTION_CALL", "failed"],
    ["UNEXPECTED_TOOL_CALL", "failed"],
    ["TOO_MANY_TOOL_CALLS", "failed"],
    ["MISSING_THOUGHT_SIGNATURE", "failed"],
    ["MALFORMED_RESPONSE", "failed"],
    ["CONTINUATION", "length"],
    ["NO_IMAGE", "other"],
    ["IMAGE_OTHER", "other"],
    ["OTHER", "other"],
    ["FINISH_REASON_UNSPECIFIED", "other"],
    ["LANGUAGE", "content-filter"],
    ["BLOCKLIST", "content-filter"],
    ["SPII", "content-filter"],
    ["IMAGE_SAFETY", "content-filter"],
    ["IMAGE_PROHIBITED_CONTENT", "content-filter"],
    ["IMAGE_RECITATION", "content-filter"],
  ])("maps stop reason %s to %s", (word, finishReason) => {
    expect(gemini.parseResponse({ candidates: [{ finishReason: word }] })).toMatchObject({ parts: [], finishReason });
  });

  it("carries images, and executed code as Markdown", () => {
    const parts = [
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { executableCode: { language: "PYTHON", code: "print(1)" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
    ];
    expect(gemini.parseResponse({ candidates: [{ content: { parts }, finishReason: "STOP" }] }).parts).toEqual([
      { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } },
      { type: "text", text: "\n```python\nprint(1)\n```\n" },
      { type: "text", text: "\n```\n1\n```\n" },
    ]);
  });

  it("fails with a content filter error for a blocked prompt", () => {
    expect(() => gemini.parseResponse(readResponse("gemini", "blocked"))).toThrowError(
      expect.objectContaining({ status: 400, upstream: expect.objectContaining({ code: "content_filter" }) }),
    );
  });

  it("is a failure if it is an error or anything else", () => {
    expect(() => gemini.parseResponse(readResponse("gemini", "error"))).toThrowError(
      expect.objectContaining({ status: 429 }),
    );
    for (const body of ["<html>", {}, { candidates: [] }])
      expect(() => gemini.parseResponse(body)).toThrowError(StreamFailure);
  });

  it("keeps Google's text and retry delay of a refusal", () => {
    const error = readResponse("gemini", "error");
    const expected = { type: "RESOURCE_EXHAUSTED", code: "429", retryAfterSeconds: 35 };
    expect(gemini.parseError(429, error)).toMatchObject(expected);
    expect(gemini.parseError(429, [error])).toMatchObject(expected);
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }];
    const invalid = { error: { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT", details } };
    expect(gemini.parseError(400, invalid)).toMatchObject({ type: "INVALID_ARGUMENT", code: "API_KEY_INVALID" });
  });

  it("keeps the error details that Google callers read, without those that identify the account", () => {
    const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;
    const retry = { "@type": type("RetryInfo"), retryDelay: "3s" };
    const info = { "@type": type("ErrorInfo"), reason: "RATE_LIMIT_EXCEEDED", domain: "googleapis.com" };
    const metadata = { consumer: "projects/123" };
    const help = { "@type": type("Help"), links: [{ url: "https://console.example/123" }] };
    const error = {
      code: 429,
      message: "no",
      status: "RESOURCE_EXHAUSTED",
      details: [retry, { ...info, metadata }, help],
    };
    const upstream = gemini.parseError(429, { error });
    const failure = new RelayError("upstream_error", upstream.message, { status: 429, upstream });
    expect(geminiGenerate.writeError(failure, "r")).toEqual({ error: { ...error, details: [retry, info] } });
  });
});

describe("Gemini stream", () => {
  it.each(["text", "tools", "reasoning"])("is parsed the same at any chunk boundary with CRLF: %s", (name) => {
    const complete = withoutIds(stream(name));
    expect(complete).toMatchSnapshot();
    for (const pieceBytes of [1, 7, 64]) expect(withoutIds(stream(name, pieceBytes))).toEqual(complete);
  });

  it("fails with the error's status if it ends with an error", () => {
    expect(() => stream("error")).toThrowError(
      expect.objectContaining({ status: 503, upstream: expect.objectContaining({ type: "UNAVAILABLE" }) }),
    );
    expect(() => gemini.newStreamReader().read({ event: undefined, data: "[1" })).toThrowError(StreamFailure);
  });

  it("is complete with a finish reason, and accepts usage after it", () => {
    const reader = gemini.newStreamReader();
    const read = (event: object) => reader.read({ event: undefined, data: JSON.stringify(event) });
    read({ candidates: [{ content: { parts: [{ text: "a" }] } }] });
    expect(reader.isComplete()).toBe(false);
    read({ candidates: [{ finishReason: "STOP" }] });
    expect(reader.isComplete()).toBe(true);
    read({ usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 } });
    expect(reader.end()).toMatchObject([{ type: "finish", reason: "stop", usage: { completionTokens: 4 } }]);
    expect(reader.end()).toEqual([]);
  });

  it("fails for a blocked prompt", () => {
    const data = JSON.stringify(readResponse("gemini", "blocked"));
    expect(() => gemini.newStreamReader().read({ event: undefined, data })).toThrowError(StreamFailure);
  });
});
