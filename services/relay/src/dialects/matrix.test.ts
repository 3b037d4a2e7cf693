import { describe, expect, it } from "vitest";
import type { ChatResponse, ContentPart, Json, StreamPart } from "../core/chat/chat.ts";
import { RelayError } from "../core/errors/relay-error.ts";
import { DEFAULT_SETTINGS, readResponse, readParts, readStreamBytes, targetFor } from "../providers/shared/fixtures.ts";
import { findProvider } from "../providers/registry/providers.ts";
import type { Provider } from "../providers/contract/provider.ts";
import type { ResponseContext, Dialect } from "../core/call/dialect.ts";
import { DIALECTS } from "./chat-dialects.ts";
import { CONVERSATION, EXPECTED_BODY } from "./matrix-fixtures.ts";

type Row = {
  readonly type: number;
  /** The directory of recorded responses, and the provider whose body the conversation must become. */
  readonly folder: string;
  readonly body?: string;
  readonly model: string;
  readonly baseUrl?: string;
  readonly key?: string;
  /** The body field that requests reasoning; undefined if the provider has none. */
  readonly reasoning: string | undefined;
  readonly reasoningModel?: string;
};

const SERVICE_ACCOUNT = JSON.stringify({ project_id: "p", client_email: "e", private_key: "k" });

/** Tests every dialect against every provider format: nothing may be lost in the conversion. */
const PROVIDERS: readonly Row[] = [
  { type: 1, folder: "openai", model: "gpt-4.1", reasoning: "reasoning_effort", reasoningModel: "o3" },
  {
    type: 8,
    folder: "openai",
    model: "custom-model",
    baseUrl: "http://host/{model}/chat/completions",
    reasoning: "reasoning_effort",
  },
  { type: 14, folder: "anthropic", model: "claude-sonnet-4-5-20250929", reasoning: "thinking" },
  { type: 17, folder: "openai", model: "qwen-plus", reasoning: "enable_thinking" },
  { type: 23, folder: "tencent", model: "hunyuan-vision", key: "1|id|key", reasoning: undefined },
  { type: 24, folder: "gemini", model: "gemini-2.5-flash", reasoning: "generationConfig.thinkingConfig" },
  { type: 26, folder: "openai", body: "zhipu", model: "glm-4.5v", reasoning: "thinking" },
  {
    type: 33,
    folder: "bedrock",
    body: "anthropic",
    model: "claude-sonnet-4-5-20250929",
    key: "a|b|us-east-1",
    reasoning: "thinking",
  },
  { type: 34, folder: "cohere", model: "command-a-reasoning-08-2025", reasoning: "thinking" },
  {
    type: 41,
    folder: "gemini",
    model: "gemini-2.5-flash",
    key: SERVICE_ACCOUNT,
    reasoning: "generationConfig.thinkingConfig",
  },
  { type: 41, folder: "anthropic", model: "claude-sonnet-4-5-20250929", key: SERVICE_ACCOUNT, reasoning: "thinking" },
  { type: 41, folder: "openai", model: "meta/llama-4-maas", key: SERVICE_ACCOUNT, reasoning: "reasoning_effort" },
  { type: 42, folder: "openai", body: "mistral", model: "mistral-large-latest", reasoning: undefined },
];

const PAIRS = Object.values(DIALECTS).flatMap((dialect) =>
  PROVIDERS.map((row) => [dialect.name, row.type, dialect, row] as const),
);

const CONTEXT: ResponseContext = { requestId: "req1", model: "asked", includeUsage: true, createdAtSeconds: 1 };

const providerFor = (type: number, model = ""): Provider => {
  const provider = findProvider(type);
  if (!provider) throw new Error(`no provider of type ${type}`);
  return provider.forModel?.(model) ?? provider;
};

/** Reads what a dialect wrote: the provider parser of the same format replaces the caller's SDK. */
const CALLER_TYPES: Readonly<Record<string, number>> = { "openai-chat": 1, "anthropic-messages": 14, gemini: 24 };
const callerSide = (dialect: Dialect): Provider => providerFor(CALLER_TYPES[dialect.name] ?? 0);

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

const getView = ({ parts, finishReason, usage }: Pick<ChatResponse, "parts" | "finishReason" | "usage">): View => ({
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

/** Joins a stream's deltas; checks that it starts once, finishes once and numbers its calls from 0. */
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
  if (finish?.type !== "finish") throw new Error("the finish must be the last event");
  return getView({ parts: [...parts, ...calls], finishReason: finish.reason, usage: finish.usage });
}

const readStream = (provider: Provider, folder: string, fixture: string): StreamPart[] =>
  readParts(provider.newStreamReader(), readStreamBytes(folder, fixture), 11, provider.streaming?.newFrameSplitter?.());

/** Anthropic's own error type stays; a refusal with another type is mapped by its status, 429. */
const TERSE = ["upstream_error", "invalid_request_error"];
const anthropicWord = (type = ""): string =>
  type.endsWith("_error") && !TERSE.includes(type) ? type : "rate_limit_error";

/** Streaming is requested in the body or by the URL. */
const requestsStream = ({ url, json }: { url: string; json: Json }): boolean =>
  json["stream"] === true || json["Stream"] === true || /alt=sse$|-response-stream$/.test(url);

/** How each dialect requests reasoning. */
const REQUESTS: Readonly<Record<string, Json>> = {
  "openai-chat": { reasoning_effort: "low" },
  "anthropic-messages": { thinking: { type: "enabled", budget_tokens: 2000 } },
  gemini: {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    generationConfig: { maxOutputTokens: 4000, thinkingConfig: { thinkingBudget: 2000 } },
  },
};

describe.each(PAIRS)("caller of %s on a channel of type %i", (name, type, dialect, row) => {
  const { folder, model, baseUrl = "", key = "sk-upstream" } = row;
  const provider = providerFor(type, model);
  const target = targetFor({ channelType: type, model, baseUrl, key, settings: DEFAULT_SETTINGS });
  const body = CONVERSATION[dialect.name];

  it.each([false, true])("has its complete conversation converted, streaming: %j", (stream) => {
    const request = provider.buildRequest(dialect.parseRequest({ ...body, stream }, { model, stream }), target);
    expect(request.json).toMatchObject(EXPECTED_BODY[row.body ?? folder] ?? {});
    expect(requestsStream(request)).toBe(stream);
  });

  it("has its reasoning request passed on", () => {
    const plain = { model: "asked", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...REQUESTS[name] };
    const thinking = { ...target, model: row.reasoningModel ?? model };
    const { json } = provider.buildRequest(dialect.parseRequest(plain, { model, stream: false }), thinking);
    expect(json).toHaveProperty(row.reasoning ?? (type === 23 ? "Model" : "model"));
  });

  it.each(["text", "tools", "reasoning"])("receives a complete non-streaming response: %s", (fixture) => {
    const response = provider.parseResponse(readResponse(folder, fixture));
    const written = dialect.writeResponse(response, CONTEXT) as Json;
    expect(written["model"] ?? written["modelVersion"]).toBe("asked");
    expect(getView(callerSide(dialect).parseResponse(written))).toEqual(getView(response));
  });

  it.each(["text", "tools", "reasoning"])("receives a complete streaming response: %s", (fixture) => {
    const parts = readStream(provider, folder, fixture);
    const writer = dialect.newStreamWriter(CONTEXT);
    const bytes = Buffer.from(parts.map((part) => writer.write(part)).join(""));
    const reader = callerSide(dialect).newStreamReader();
    const heard = readParts(reader, bytes);
    expect(reader.isComplete()).toBe(true);
    expect(assemble(heard)).toEqual(assemble(parts));
  });

  it("receives upstream's refusal in its own format", () => {
    const upstream = provider.parseError(429, readResponse(folder, "error"));
    const error = new RelayError("upstream_error", upstream.message, { status: 429, upstream });
    const heard = callerSide(dialect).parseError(429, dialect.writeError(error, "req1"));
    expect(heard.message).toBe(upstream.message);
    const words = { "openai-chat": folder === "openai" ? upstream.type : "requests", gemini: "RESOURCE_EXHAUSTED" };
    expect(heard.type).toBe(words[name as keyof typeof words] ?? anthropicWord(upstream.type));
  });
});
