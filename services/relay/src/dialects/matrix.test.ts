import { describe, expect, it } from "vitest";
import type { ChatResponse, ContentPart, Json, StreamPart } from "../chat/chat.ts";
import { RelayError } from "../errors/relay-error.ts";
import { DEFAULT_SETTINGS, readAnswer, readParts, readStreamBytes, targetFor } from "../providers/fixtures.ts";
import { providerOf } from "../providers/index.ts";
import type { Provider } from "../providers/provider.ts";
import type { AnswerContext, Dialect } from "./dialect.ts";
import { DIALECTS } from "./index.ts";

/** Every dialect with every provider: what one side says, the other side must hear. */
const PROVIDERS = [
  { type: 1, folder: "openai", model: "gpt-4.1", baseUrl: "" },
  { type: 8, folder: "openai", model: "custom-model", baseUrl: "http://host/{model}/chat/completions" },
  { type: 14, folder: "anthropic", model: "claude-sonnet-4-5-20250929", baseUrl: "" },
  { type: 24, folder: "gemini", model: "gemini-2.5-flash", baseUrl: "" },
] as const;

const PAIRS = Object.values(DIALECTS).flatMap((dialect) =>
  PROVIDERS.map((provider) => [dialect.name, provider.type, dialect, provider] as const),
);

const CONTEXT: AnswerContext = { requestId: "req1", model: "asked", includeUsage: true, createdAtSeconds: 1 };

const providerFor = (type: number): Provider => {
  const provider = providerOf(type);
  if (!provider) throw new Error(`no provider of type ${type}`);
  return provider;
};

/** Reads what a dialect wrote: the provider of the same format stands in for the caller's SDK. */
const callerSide = (dialect: Dialect): Provider => providerFor(dialect.name === "openai-chat" ? 1 : 14);

type View = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly finish: string;
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
  readonly cacheReadTokens: number | undefined;
};

const joined = (parts: readonly ContentPart[], type: "text" | "reasoning"): string =>
  parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");

const viewOf = ({ parts, finishReason, usage }: Pick<ChatResponse, "parts" | "finishReason" | "usage">): View => ({
  text: joined(parts, "text"),
  reasoning: joined(parts, "reasoning"),
  calls: parts.flatMap((part) =>
    part.type === "tool-call" ? [{ name: part.name, input: JSON.parse(part.argumentsText || "{}") as unknown }] : [],
  ),
  finish: finishReason,
  promptTokens: usage?.promptTokens,
  completionTokens: usage?.completionTokens,
  cacheReadTokens: usage?.cacheReadTokens,
});

/** Puts a stream's deltas together; checks that it starts once, finishes once and counts its calls from 0. */
function assemble(stream: readonly StreamPart[]): View {
  expect(stream.filter(({ type }) => type === "start")).toHaveLength(1);
  expect(stream.filter(({ type }) => type === "finish")).toHaveLength(1);
  const parts: ContentPart[] = [];
  const calls: { type: "tool-call"; id: string; name: string; argumentsText: string }[] = [];
  const indexes: number[] = [];
  for (const part of stream) {
    if (part.type === "text-delta") parts.push({ type: "text", text: part.text });
    if (part.type === "reasoning-delta") parts.push({ type: "reasoning", text: part.text });
    if (part.type === "tool-call-start") {
      indexes.push(part.index);
      calls.push({ type: "tool-call", id: part.id, name: part.name, argumentsText: "" });
    }
    if (part.type === "tool-call-delta") calls[part.index]!.argumentsText += part.argumentsText;
  }
  expect(indexes).toEqual([...calls.keys()]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  const finish = stream.at(-1);
  if (finish?.type !== "finish") throw new Error("the finish must come last");
  return viewOf({ parts: [...parts, ...calls], finishReason: finish.reason, usage: finish.usage });
}

const IMAGE = "iVBORw0KGgo=";
const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

/** The same conversation in either dialect. */
const CONVERSATION: Readonly<Record<string, Json>> = {
  "openai-chat": {
    model: "asked",
    max_tokens: 4000,
    tools: [{ type: "function", function: { name: "get_weather", parameters: SCHEMA } }],
    tool_choice: "auto",
    stop: ["END"],
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE}` } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sun in Paris" },
      { role: "tool", tool_call_id: "call_2", content: "rain in Rome" },
    ],
  },
  "anthropic-messages": {
    model: "asked",
    max_tokens: 4000,
    system: "Be brief.",
    stop_sequences: ["END"],
    tools: [{ name: "get_weather", input_schema: SCHEMA }],
    tool_choice: { type: "auto" },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
          { type: "tool_use", id: "call_2", name: "get_weather", input: { city: "Rome" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: "sun in Paris" },
          { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "rain in Rome" }] },
        ],
      },
    ],
  },
};

/** What each provider must be sent for that conversation, whoever asks. */
const EXPECTED_BODY: Readonly<Record<string, Json>> = {
  openai: {
    max_tokens: 4000,
    stop: ["END"],
    tool_choice: "auto",
    tools: [{ type: "function", function: { name: "get_weather", parameters: SCHEMA } }],
    messages: [
      { role: "system", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE}` } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
          { id: "call_2", type: "function", function: { name: "get_weather", arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sun in Paris" },
      { role: "tool", tool_call_id: "call_2", content: "rain in Rome" },
    ],
  },
  anthropic: {
    max_tokens: 4000,
    stop_sequences: ["END"],
    system: "Be brief.",
    tool_choice: { type: "auto" },
    tools: [{ name: "get_weather", input_schema: SCHEMA }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Weather here?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "call_1", name: "get_weather", input: { city: "Paris" } },
          { type: "tool_use", id: "call_2", name: "get_weather", input: { city: "Rome" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "sun in Paris" }] },
          { type: "tool_result", tool_use_id: "call_2", content: [{ type: "text", text: "rain in Rome" }] },
        ],
      },
    ],
  },
  gemini: {
    generationConfig: { maxOutputTokens: 4000, stopSequences: ["END"] },
    systemInstruction: { parts: [{ text: "Be brief." }] },
    toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    tools: [{ functionDeclarations: [{ name: "get_weather", description: "", parameters: SCHEMA }] }],
    contents: [
      { role: "user", parts: [{ text: "Weather here?" }, { inlineData: { mimeType: "image/png", data: IMAGE } }] },
      {
        role: "model",
        parts: [
          { functionCall: { name: "get_weather", args: { city: "Paris" } } },
          { functionCall: { name: "get_weather", args: { city: "Rome" } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "get_weather", response: { result: "sun in Paris" } } },
          { functionResponse: { name: "get_weather", response: { result: "rain in Rome" } } },
        ],
      },
    ],
  },
};

/** Which field of each provider's body asks for reasoning of effort "low" or a budget of 2000. */
const REASONING_FIELD: Readonly<Record<number, unknown>> = {
  1: "reasoning_effort",
  8: "reasoning_effort",
  14: "thinking",
  24: "generationConfig.thinkingConfig",
};

/** Anthropic's word for each provider's recorded refusal: its own, else by the status 429. */
const EXPECTED_ERROR_TYPE: Readonly<Record<string, string>> = {
  openai: "invalid_request_error",
  anthropic: "rate_limit_error",
  gemini: "rate_limit_error",
};

describe.each(PAIRS)("a caller of %s on a channel of type %i", (name, type, dialect, { folder, model, baseUrl }) => {
  const provider = providerFor(type);
  const target = targetFor({ channelType: type, model, baseUrl, settings: DEFAULT_SETTINGS });
  const body = CONVERSATION[dialect.name];

  it.each([false, true])("is understood whole, streaming: %j", (stream) => {
    const { url, json } = provider.buildRequest(dialect.parseRequest({ ...body, stream }), target);
    expect(json).toMatchObject(EXPECTED_BODY[folder] ?? {});
    expect(json["stream"] === true || url.includes(":streamGenerateContent?alt=sse")).toBe(stream);
  });

  it("is heard when it asks for reasoning", () => {
    const asks =
      name === "openai-chat" ? { reasoning_effort: "low" } : { thinking: { type: "enabled", budget_tokens: 2000 } };
    const plain = { model: "asked", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...asks };
    const path = String(REASONING_FIELD[type]);
    const thinking = targetFor({ channelType: type, model: type === 1 ? "o3" : model, baseUrl });
    expect(provider.buildRequest(dialect.parseRequest(plain), thinking).json).toHaveProperty(path);
  });

  it.each(["text", "tools", "reasoning"])("gets a whole answer as it was given: %s", (fixture) => {
    const response = provider.parseResponse(readAnswer(folder, fixture));
    const written = dialect.writeResponse(response, CONTEXT) as Json;
    expect(written["model"]).toBe("asked");
    expect(viewOf(callerSide(dialect).parseResponse(written))).toEqual(viewOf(response));
  });

  it.each(["text", "tools", "reasoning"])("gets a streamed answer as it was given: %s", (fixture) => {
    const parts = readParts(provider.newStreamReader(), readStreamBytes(folder, fixture), 11);
    const writer = dialect.newStreamWriter(CONTEXT);
    const bytes = Buffer.from(parts.map((part) => writer.write(part)).join(""));
    const reader = callerSide(dialect).newStreamReader();
    const heard = readParts(reader, bytes);
    expect(reader.isComplete()).toBe(true);
    expect(assemble(heard)).toEqual(assemble(parts));
  });

  it("gets upstream's refusal in its own form", () => {
    const upstream = provider.parseError(429, readAnswer(folder, "error"));
    const error = new RelayError("upstream_error", upstream.message, { status: 429, upstream });
    const heard = callerSide(dialect).parseError(429, dialect.writeError(error, "req1"));
    expect(heard.message).toBe(upstream.message);
    expect(heard.type).toBe(name === "openai-chat" ? upstream.type : EXPECTED_ERROR_TYPE[folder]);
  });
});
