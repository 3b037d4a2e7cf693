import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { geminiGenerate } from "../../dialects/gemini-generate/gemini-generate.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { DEFAULT_SETTINGS, readAnswer } from "../shared/fixtures.ts";
import type { ProviderSettings } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { gemini } from "./gemini.ts";
import { geminiParameters, geminiSchema } from "../formats/gemini/gemini-schema.ts";
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

describe("Gemini schema conversion", () => {
  it.each([
    [
      "unknown keywords left out",
      { type: "string", default: "x", $schema: "s", exclusiveMinimum: 1 },
      { type: "string" },
    ],
    ["closed objects opened", { type: "object", additionalProperties: false }, { type: "object" }],
    ["only two formats of strings", { type: "string", format: "email" }, { type: "string" }],
    ["date-time kept", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }],
    ["formats of numbers kept", { type: "integer", format: "int32" }, { type: "integer", format: "int32" }],
    ["null as nullable", { type: ["string", "null"] }, { type: "string", nullable: true }],
    [
      "several types as alternatives",
      { type: ["string", "integer"] },
      { anyOf: [{ type: "string" }, { type: "integer" }] },
    ],
    ["a type for schemas without one", { description: "any" }, { type: "string", description: "any" }],
    ["a type of its values", { enum: [1, 2] }, { type: "integer", description: "One of: 1, 2" }],
    [
      "a type of what stands inside",
      { properties: { l: { items: { type: "number" } } } },
      { type: "object", properties: { l: { type: "array", items: { type: "number" } } } },
    ],
    [
      "no alternatives of required names alone",
      { type: "object", properties: { a: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { type: "object", properties: { a: { type: "string" } } },
    ],
    [
      "items for alternatives that are lists",
      { type: ["array", "string"], items: { type: "integer" } },
      { anyOf: [{ type: "array", items: { type: "integer" } }, { type: "string" }] },
    ],
    ["a constant as an enum", { const: "a" }, { type: "string", enum: ["a"] }],
    [
      "string enums, others described in text",
      { type: "integer", enum: [1, 2], description: "Size" },
      { type: "integer", description: "Size (One of: 1, 2)" },
    ],
    ["null in an enum as nullable", { enum: ["a", null] }, { type: "string", enum: ["a"], nullable: true }],
    ["null alone as nullable", { type: "null" }, { type: "string", nullable: true }],
    ["no formats of other numbers", { type: "integer", format: "uint32", minimum: 0 }, { type: "integer", minimum: 0 }],
    [
      "places of a list as a list of as many",
      { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
      { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
    ],
    [
      "references that lead to references, or into properties, followed",
      {
        type: "object",
        properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/properties/a" } },
        $defs: { A: { $ref: "#/$defs/B" }, B: { type: "integer" } },
      },
      { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } },
    ],
    [
      "no keywords next to alternatives",
      {
        description: "An id",
        type: "object",
        required: ["a"],
        anyOf: [{ properties: { a: { type: "string" } } }, { description: "By name", properties: { b: {} } }],
      },
      {
        anyOf: [
          { type: "object", description: "An id", properties: { a: { type: "string" } }, required: ["a"] },
          { type: "object", description: "By name", properties: { b: { type: "string" } } },
        ],
      },
    ],
    ["items for every list", { type: "array" }, { type: "array", items: { type: "string" } }],
    [
      "oneOf as anyOf, null as nullable",
      { oneOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
      {
        anyOf: [
          { type: "string", nullable: true },
          { type: "integer", nullable: true },
        ],
      },
    ],
    [
      "one alternative put in place",
      { anyOf: [{ type: "string" }, { type: "null" }] },
      { type: "string", nullable: true },
    ],
    [
      "references put in place",
      { type: "object", properties: { a: { $ref: "#/$defs/A" } }, $defs: { A: { type: "string", title: "T" } } },
      { type: "object", properties: { a: { type: "string", title: "T" } } },
    ],
    [
      "pieces of allOf joined",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { properties: { b: { type: "string" } } },
        ],
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a"] },
    ],
    [
      "required names that exist",
      { type: "object", properties: { a: { type: "string" } }, required: ["a", "ghost"] },
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    ],
    [
      "properties called like keywords",
      { type: "object", properties: { default: { type: "string" }, $ref: { type: "string" } } },
      { type: "object", properties: { default: { type: "string" }, $ref: { type: "string" } } },
    ],
  ])("handles %s", (_, schema, expected) => {
    expect(geminiSchema(schema)).toEqual(expected);
  });

  it("ends for recursive schemas", () => {
    const schema = { $ref: "#/$defs/A", $defs: { A: { type: "object", properties: { a: { $ref: "#/$defs/A" } } } } };
    expect(geminiSchema(schema)).toMatchObject({ type: "object", properties: { a: { type: "object" } } });
  });

  it.each([
    ["in two places", { l: { $ref: "#/$defs/A" }, r: { $ref: "#/$defs/A" } }],
    ["in a list of alternatives", { all: { type: "array", items: { anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#" }] } } }],
  ])("keeps recursive schemas %s small", (_, properties) => {
    const schema = { $ref: "#/$defs/A", $defs: { A: { type: "object", properties } } };
    expect(JSON.stringify(geminiSchema(schema)).length).toBeLessThan(1_000);
  });

  it("cuts off schemas whose references branch without end", () => {
    const branching = (level: number) => ({
      type: "object",
      properties: { l: { $ref: `#/$defs/${level + 1}` }, r: { $ref: `#/$defs/${level + 1}` } },
    });
    const $defs = Object.fromEntries(Array.from({ length: 40 }, (_, level) => [level, branching(level)]));
    expect(JSON.stringify(geminiSchema({ $ref: "#/$defs/0", $defs })).length).toBeLessThan(200_000);
  });

  it("omits schemas of functions without parameters", () => {
    expect(geminiParameters({ type: "object", properties: {} })).toBeUndefined();
    expect(geminiParameters({})).toBeUndefined();
  });
});

describe("Gemini response", () => {
  it.each(["text", "reasoning"])("is parsed completely: %s", (name) => {
    expect(gemini.parseResponse(readAnswer("gemini", name))).toMatchSnapshot();
  });

  it("with calls gives each an id, keeps the signature, and finishes with tool calls", () => {
    const { parts, finishReason, usage } = gemini.parseResponse(readAnswer("gemini", "tools"));
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
    ["MALFORMED_FUNCTION_CALL", "other"],
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

  it("to a blocked prompt fails as a content filter error", () => {
    expect(() => gemini.parseResponse(readAnswer("gemini", "blocked"))).toThrowError(
      expect.objectContaining({ status: 400, upstream: expect.objectContaining({ code: "content_filter" }) }),
    );
  });

  it("is a failure if it is an error or anything else", () => {
    expect(() => gemini.parseResponse(readAnswer("gemini", "error"))).toThrowError(
      expect.objectContaining({ status: 429 }),
    );
    for (const body of ["<html>", {}, { candidates: [] }])
      expect(() => gemini.parseResponse(body)).toThrowError(StreamFailure);
  });

  it("keeps Google's text and retry delay of a refusal", () => {
    const error = readAnswer("gemini", "error");
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
    const whole = withoutIds(stream(name));
    expect(whole).toMatchSnapshot();
    for (const pieceBytes of [1, 7, 64]) expect(withoutIds(stream(name, pieceBytes))).toEqual(whole);
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
    const data = JSON.stringify(readAnswer("gemini", "blocked"));
    expect(() => gemini.newStreamReader().read({ event: undefined, data })).toThrowError(StreamFailure);
  });
});
