import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { geminiGenerate } from "./gemini-generate.ts";

const USER = { role: "user", parts: [{ text: "hi" }] };
const parse = (body: Json) => geminiGenerate.parseRequest({ contents: [USER], ...body }, { model: "m", stream: false });
const IMAGE = "iVBORw0KGgo=";

describe("Google request", () => {
  it("accepts a single item in place of a list", () => {
    const text = { type: "text", text: "hi" };
    const system = { system_instruction: { parts: { text: "hi" } } };
    for (const contents of [USER, { parts: { text: "hi" } }, [{ parts: { text: "hi" } }]]) {
      expect(parse({ contents, ...system })).toMatchObject({
        system: [text],
        messages: [{ role: "user", parts: [text] }],
      });
    }
  });

  it.each([{ role: "user" }, { role: "user", parts: [] }, { parts: null }])("is refused if empty: %j", (content) => {
    expect(() => parse({ contents: [content] })).toThrow(expect.objectContaining({ param: "contents[0].parts" }));
  });

  it("carries media returned by tools, and accepts results under every role that Google accepts", () => {
    const call = { role: "model", parts: [{ functionCall: { id: "a", name: "draw", args: {} } }] };
    const functionResponse = {
      id: "a",
      name: "draw",
      response: { output: "drawn" },
      parts: [
        { inlineData: { mimeType: "image/png", data: IMAGE } },
        { fileData: { mimeType: "image/png", fileUri: "https://x.test/a.png" } },
      ],
    };
    for (const role of ["user", "function", "tool", ""]) {
      const { messages } = parse({ contents: [USER, call, { role, parts: [{ functionResponse }] }] });
      expect(messages.at(-1)).toEqual({
        role: "user",
        parts: [
          {
            type: "tool-result",
            id: "a",
            name: "draw",
            parts: [
              { type: "text", text: "drawn" },
              { type: "image", source: { kind: "base64", mediaType: "image/png", data: IMAGE } },
              { type: "image", source: { kind: "url", url: "https://x.test/a.png" } },
            ],
          },
        ],
      });
    }
  });

  it.each<[string, Json | undefined, unknown]>([
    ["nothing", undefined, undefined],
    ["includeThoughts false", { includeThoughts: false }, undefined],
    ["no reasoning settings", {}, undefined],
    ["includeThoughts true", { includeThoughts: true }, {}],
    ["a depth of the model's own", { thinkingBudget: -1 }, {}],
    ["a budget", { thinkingBudget: 2000, includeThoughts: false }, { budgetTokens: 2000 }],
    ["none", { thinking_budget: 0 }, { budgetTokens: 0 }],
    ["a level", { thinkingLevel: "MINIMAL" }, { effort: "minimal" }],
    ["an empty level", { thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" }, undefined],
  ])("maps the reasoning settings: %s", (_, thinkingConfig, reasoning) => {
    expect(parse({ generationConfig: { thinkingConfig } }).reasoning).toEqual(reasoning);
  });

  it.each<[string, Json, string]>([
    ["what a cache at Google holds", { cachedContent: "cachedContents/1" }, "cachedContent"],
    [
      "an audio response",
      { generationConfig: { responseModalities: ["AUDIO"] } },
      "generationConfig.responseModalities",
    ],
    ["a tool of Google's that the caller runs", { tools: [{ computerUse: {} }] }, "tools[0].computerUse"],
    [
      "a forced tool that only Google has",
      { tools: [{ codeExecution: {} }], toolConfig: { functionCallingConfig: { mode: "ANY" } } },
      "toolConfig.functionCallingConfig.mode",
    ],
    ["an unknown role", { contents: [{ role: "robot", parts: [] }] }, "contents[0].role"],
    [
      "an unknown part of a result",
      {
        contents: [{ role: "user", parts: [{ functionResponse: { name: "f", response: {}, parts: [{ smell: 1 }] } }] }],
      },
      "contents[0].parts[0].functionResponse.parts[0]",
    ],
  ])("is refused with the field's name for %s", (_, body, param) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });
});

describe("tool name that only Google accepts", () => {
  it("is sanitized for other providers and restored in the response", () => {
    const name = "files.read:all";
    const requested = { tools: [{ functionDeclarations: [{ name }] }] };
    const contents = [
      USER,
      { role: "model", parts: [{ functionCall: { name, args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name, response: {} } }] },
    ];
    const functionCallingConfig = { mode: "ANY", allowedFunctionNames: [name] };
    const request = parse({ ...requested, contents, toolConfig: { functionCallingConfig } });
    const plain = request.tools?.[0]?.name ?? "";
    expect(plain).toMatch(/^files_read_all_[0-9a-f]{8}$/);
    expect(request.toolChoice).toEqual({ type: "tool", name: plain });
    expect(request.messages.slice(1)).toMatchObject([{ parts: [{ name: plain }] }, { parts: [{ name: plain }] }]);
    const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1, requested };
    const call = { type: "tool-call" as const, id: "a", name: plain, argumentsText: "{}" };
    const response = { id: "", model: "m", createdAtSeconds: 0, finishReason: "tool-calls" as const, usage: undefined };
    const written = { candidates: [{ content: { parts: [{ functionCall: { name } }] } }] };
    expect(geminiGenerate.writeResponse({ ...response, parts: [call] }, context)).toMatchObject(written);
    const writer = geminiGenerate.newStreamWriter(context);
    writer.write({ type: "tool-call-start", index: 0, id: "a", name: plain });
    const end = writer.write({ type: "finish", reason: "tool-calls", usage: undefined });
    expect(JSON.parse(end.slice("data: ".length))).toMatchObject(written);
  });
});

it("offers only the allowed functions if one of several must be called", () => {
  const tools = [{ functionDeclarations: ["a", "b", "c"].map((name) => ({ name })) }];
  const offered = (mode: string) => {
    const functionCallingConfig = { mode, allowedFunctionNames: ["a", "b"] };
    return parse({ tools, toolConfig: { functionCallingConfig } }).tools?.map(({ name }) => name);
  };
  expect([offered("ANY"), offered("AUTO")]).toEqual([
    ["a", "b"],
    ["a", "b", "c"],
  ]);
});

it("requests one of an enum's values by an instruction", () => {
  const config = (schema: object) => ({ responseMimeType: "text/x.enum", responseSchema: schema });
  const { system } = parse({ generationConfig: config({ type: "STRING", enum: ["A", "B"] }) });
  expect(system).toEqual([{ type: "text", text: "Answer with exactly one of these and nothing else: A, B" }]);
  expect(() => parse({ generationConfig: config({ type: "STRING" }) })).toThrow("enum");
});

it("finds the call of a result by name if no call has the id", () => {
  const contents = [
    { role: "user", parts: [{ text: "hi" }] },
    { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { id: "z1", name: "f", response: {} } }] },
  ];
  const [, requested, answered] = parse({ contents }).messages;
  const getId = (message: typeof requested) => (message?.parts[0] as { id?: string } | undefined)?.id;
  expect(getId(answered)).toBe(getId(requested));
});

it("never reports a negative number of tokens", () => {
  const usage = { ...NO_USAGE, promptTokens: 3, completionTokens: 5, reasoningTokens: 12 };
  const response = { id: "", model: "m", createdAtSeconds: 0, parts: [], finishReason: "stop" as const, usage };
  const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1, requested: {} };
  const written = geminiGenerate.writeResponse(response, context);
  expect(written).toMatchObject({ usageMetadata: { candidatesTokenCount: 0, totalTokenCount: 8 } });
});

it.each([
  ["audio/mpeg", "mp3"],
  ["audio/x-wav", "wav"],
  ["audio/flac", "flac"],
])("maps audio subtype %s to OpenAI's name", (mimeType, format) => {
  const contents = [{ role: "user", parts: [{ inlineData: { mimeType, data: "AAAA" } }] }];
  expect(parse({ contents }).messages).toEqual([{ role: "user", parts: [{ type: "audio", format, data: "AAAA" }] }]);
});

it("streams interleaved calls one at a time and in order", () => {
  const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1, requested: {} };
  const writer = geminiGenerate.newStreamWriter(context);
  const delta = (index: number, argumentsText: string) => ({ type: "tool-call-delta" as const, index, argumentsText });
  const start = (index: number, name: string) => ({ type: "tool-call-start" as const, index, id: name, name });
  const text = [
    start(0, "f"),
    start(1, "g"),
    delta(1, '{"b":'),
    delta(0, '{"a":1}'),
    { type: "text-delta" as const, text: "Wait." },
    delta(1, "2}"),
    { type: "finish" as const, reason: "tool-calls" as const, usage: undefined },
  ].map((part) => writer.write(part));
  const calls = [...text.join("").matchAll(/"functionCall":(\{.*?\}\}|\{.*?\})/g)].map(([, call = ""]) => call);
  expect(calls).toEqual([expect.stringContaining('"args":{"a":1}'), expect.stringContaining('"args":{"b":2}')]);
  expect(text[4]).toMatch(/"name":"f".*\n\n.*Wait\./s);
});

describe("Google schema", () => {
  const getParameters = (parameters: Json) =>
    parse({ tools: [{ functionDeclarations: [{ name: "f", parameters }] }] }).tools?.[0]?.parameters;

  it("is converted to JSON schema: lower-case types, numeric bounds, null as a type", () => {
    const given = {
      type: "OBJECT",
      propertyOrdering: ["tags"],
      properties: {
        tags: { type: "ARRAY", minItems: "1", maxItems: "3", items: { type: "STRING", maxLength: "20" } },
        any: { type: "TYPE_UNSPECIFIED", description: "Anything." },
        size: { type: "STRING", enum: ["S", "L"], nullable: true },
        either: { anyOf: [{ type: "STRING" }, { type: "INTEGER", format: "int32" }], nullable: true },
      },
      required: ["tags"],
    };
    expect(getParameters(given)).toEqual({
      type: "object",
      properties: {
        tags: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", maxLength: 20 } },
        any: { description: "Anything." },
        size: { type: ["string", "null"], enum: ["S", "L", null] },
        either: { anyOf: [{ type: "string" }, { type: "integer", format: "int32" }, { type: "null" }] },
      },
      required: ["tags"],
    });
  });

  it("keeps fields named like keywords, and values that look like types", () => {
    const properties = {
      required: { type: "BOOLEAN" },
      enum: { type: "STRING", default: "STRING" },
      minItems: { type: "INTEGER" },
      nullable: { type: "BOOLEAN" },
    };
    expect(getParameters({ type: "OBJECT", properties })).toEqual({
      type: "object",
      properties: {
        required: { type: "boolean" },
        enum: { type: "string", default: "STRING" },
        minItems: { type: "integer" },
        nullable: { type: "boolean" },
      },
    });
  });

  it("is accepted in the list of formats, whose audio is refused", () => {
    const schema = { type: "object", properties: { time: { type: "string" } } };
    const formatOf = (responseFormat: unknown) => parse({ generationConfig: { responseFormat } }).responseFormat;
    const expected = { type: "json-schema", name: "answer", schema };
    expect(formatOf([{ text: { mimeType: "application/json", schema } }])).toEqual(expected);
    expect(formatOf({ text: { mime_type: "APPLICATION_JSON", schema } })).toEqual(expected);
    expect(formatOf([{ text: { mimeType: "application/json" } }])).toEqual({ type: "json" });
    expect(formatOf([{ text: { mimeType: "text/plain" } }])).toBeUndefined();
    expect(() => formatOf([{ audio: { mimeType: "audio/wav" } }])).toThrow("generationConfig.responseFormat");
  });

  it("is accepted as the response format too", () => {
    const responseSchema = { type: "ARRAY", minItems: "2", items: { type: "NUMBER" } };
    const { responseFormat } = parse({
      generationConfig: { responseMimeType: "application/json", responseSchema },
    });
    const schema = { type: "array", minItems: 2, items: { type: "number" } };
    expect(responseFormat).toEqual({ type: "json-schema", name: "answer", schema });
  });
});

describe("Google error", () => {
  it.each([
    [408, "DEADLINE_EXCEEDED"],
    [422, "INVALID_ARGUMENT"],
    [429, "RESOURCE_EXHAUSTED"],
    [502, "UNAVAILABLE"],
    [529, "UNAVAILABLE"],
    [418, "UNKNOWN"],
  ])("maps an upstream failure with status %i to %s", (status, word) => {
    const upstream = { message: "m", type: undefined, code: undefined, param: undefined };
    const error = new RelayError("upstream_error", "m", { status, upstream });
    expect(geminiGenerate.writeError(error, "req1")).toEqual({ error: { code: status, message: "m", status: word } });
  });
});
