import { describe, expect, it } from "vitest";
import type { StreamPart } from "../../core/chat/chat.ts";
import { targetFor, readParts } from "../shared/fixtures.ts";
import { findProvider } from "./providers.ts";
import type { PostProcessing, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

function endpoint(type: number, name: EndpointFormat): Provider {
  const found = findProvider(type)?.endpoints?.[name];
  if (!found) throw new Error(`type ${type} has no ${name}`);
  return found;
}

describe("URL of a non-chat endpoint", () => {
  it.each<[number, EndpointFormat, Partial<Target>, string]>([
    [1, "openai-embeddings", {}, "https://api.openai.com/v1/embeddings"],
    [1, "openai-completions", { baseUrl: "https://host/v1" }, "https://host/v1/completions"],
    [1, "openai-speech", {}, "https://api.openai.com/v1/audio/speech"],
    [
      3,
      "openai-embeddings",
      { baseUrl: "https://acme.openai.azure.com", model: "ada", other: "v" },
      "https://acme.openai.azure.com/openai/deployments/ada/embeddings?api-version=v",
    ],
    [8, "rerank", { baseUrl: "https://host/a/chat/completions" }, "https://host/a/rerank"],
    [8, "openai-embeddings", { baseUrl: "https://host/my/embed" }, "https://host/my/embed"],
    [
      3,
      "openai-responses",
      { baseUrl: "https://acme.openai.azure.com", model: "o3", other: "v" },
      "https://acme.openai.azure.com/openai/responses?api-version=v",
    ],
    [45, "openai-responses", {}, "https://ark.cn-beijing.volces.com/api/v3/responses"],
    [17, "openai-embeddings", {}, "https://dashscope.aliyuncs.com/compatible-mode/v1/embeddings"],
    [26, "openai-images", {}, "https://open.bigmodel.cn/api/paas/v4/images/generations"],
    [34, "rerank", {}, "https://api.cohere.ai/v2/rerank"],
    [40, "rerank", {}, "https://api.siliconflow.cn/v1/rerank"],
    [43, "openai-completions", {}, "https://api.deepseek.com/beta/completions"],
    [43, "openai-completions", { baseUrl: "https://host/v1" }, "https://host/beta/completions"],
    [46, "rerank", {}, "https://qianfan.baidubce.com/v2/rerankers"],
    [49, "openai-embeddings", {}, "https://models.github.ai/inference/embeddings"],
  ])("type %i, %s", (type, name, given, url) => {
    expect(endpoint(type, name).address(targetFor({ channelType: type, ...given }), false).url).toBe(url);
  });
});

describe("Google embeddings endpoint", () => {
  const text = (value: string) => ({ parts: [{ text: value }] });

  it("names the model by Google's name, in the URL and in the body", () => {
    const target = targetFor({ channelType: 24, model: "gemini-embedding-001" });
    const provider = endpoint(24, "gemini-batch-embed");
    expect(provider.address(target, false).url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-embedding-001:batchEmbedContents",
    );
    const alias = { requests: [{ model: "models/alias", content: text("a"), taskType: "X" }] };
    expect(provider.adaptBody?.(alias, target)).toEqual({
      requests: [{ model: "models/gemini-embedding-001", content: text("a"), taskType: "X" }],
    });
    const right = { requests: [{ model: "models/gemini-embedding-001", content: text("a") }] };
    expect(provider.adaptBody?.(right, target)).toBe(right);
  });

  it("uses OpenAI's format for its upstreams", () => {
    const body = { requests: [{ content: text("a"), outputDimensionality: 64 }, { content: text("b") }] };
    expect(endpoint(1, "gemini-batch-embed").adaptBody?.(body, targetFor({ model: "te3" }))).toEqual({
      model: "te3",
      input: ["a", "b"],
      encoding_format: "float",
      dimensions: 64,
    });
    const image = { content: { parts: [{ inlineData: {} }] } };
    expect(() => endpoint(1, "gemini-embed").adaptBody?.(image, targetFor({}))).toThrow("must be text");
  });

  it("serves one text or a batch from OpenAI callers", async () => {
    const provider = endpoint(24, "openai-embeddings");
    const target = targetFor({ channelType: 24, model: "gemini-embedding-001" });
    const models = "https://generativelanguage.googleapis.com/v1beta/models";
    const model = "models/gemini-embedding-001";
    const request = { model: "m", input: ["a", "b"], dimensions: 64, encoding_format: "base64" };
    expect(provider.adaptBody?.(request, target)).toEqual({
      requests: [
        { model, content: text("a"), outputDimensionality: 64 },
        { model, content: text("b"), outputDimensionality: 64 },
      ],
    });
    expect(provider.address(target, false, request).url).toBe(`${models}/gemini-embedding-001:batchEmbedContents`);
    for (const one of [{ input: "a" }, { input: ["a"] }]) {
      expect(provider.address(target, false, one).url).toBe(`${models}/gemini-embedding-001:embedContent`);
      expect(provider.adaptBody?.(one, target)).toEqual({ model, content: text("a") });
    }
    const response = { embeddings: [{ values: [0.5] }, { values: [1] }], usageMetadata: { promptTokenCount: 3 } };
    const listed = async (value: unknown): Promise<unknown> => {
      const sent = { headers: {}, body: Buffer.from(JSON.stringify(value)) };
      const done = await provider.finish?.(sent, { body: request, target }, {} as PostProcessing);
      return JSON.parse(done?.body.toString() ?? "");
    };
    const alone = { object: "list", data: [{ object: "embedding", index: 0, embedding: [0.5] }] };
    expect(await listed({ embedding: { values: [0.5] } })).toMatchObject(alone);
    expect(await listed(response)).toEqual({
      object: "list",
      data: [
        { object: "embedding", index: 0, embedding: [0.5] },
        { object: "embedding", index: 1, embedding: [1] },
      ],
      model: "gemini-embedding-001",
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
  });
});

describe("usage of responses", () => {
  it.each<[string, number, EndpointFormat, unknown, readonly [number, number] | undefined]>([
    ["embeddings", 1, "openai-embeddings", { data: [], usage: { prompt_tokens: 8, total_tokens: 8 } }, [8, 0]],
    ["embeddings that report only the total", 1, "openai-embeddings", { data: [] }, undefined],
    [
      "completions",
      1,
      "openai-completions",
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } },
      [5, 7],
    ],
    ["moderations, which report none", 1, "openai-moderations", { id: "modr-1", results: [{}] }, undefined],
    ["Jina's rerank", 8, "rerank", { results: [], usage: { total_tokens: 815 } }, [815, 0]],
    ["SiliconFlow's rerank", 40, "rerank", { results: [], meta: { tokens: { input_tokens: 16 } } }, [16, 0]],
    ["Cohere's rerank", 34, "rerank", { results: [], meta: { billed_units: { search_units: 1 } } }, undefined],
    [
      "images that count tokens",
      1,
      "openai-images",
      { data: [{ b64_json: "AA==" }], usage: { input_tokens: 13, output_tokens: 272 } },
      [13, 272],
    ],
    ["Google's embeddings", 24, "gemini-embed", { embedding: { values: [1] } }, undefined],
    [
      "Google's embeddings that count",
      24,
      "gemini-batch-embed",
      { embeddings: [], usageMetadata: { promptTokenCount: 7 } },
      [7, 0],
    ],
    [
      "a transcript with tokens",
      1,
      "openai-transcriptions",
      { text: "a", usage: { input_tokens: 14, output_tokens: 4 } },
      [14, 4],
    ],
    [
      "a transcript with seconds",
      1,
      "openai-transcriptions",
      { text: "a", usage: { type: "duration", seconds: 90 } },
      [1500, 0],
    ],
    ["a verbose transcript", 1, "openai-translations", { text: "a", duration: 6.2, segments: [] }, [117, 0]],
    ["a transcript of text", 1, "openai-transcriptions", "plain text", undefined],
    ["images that stand for tokens", 1, "openai-images", { created: 1, data: [{ url: "u" }, { url: "v" }] }, [2, 0]],
  ])("%s", (...[, type, name, response, tokens]) => {
    const { usage } = endpoint(type, name).parseResponse(response);
    expect(usage && [usage.promptTokens, usage.completionTokens]).toEqual(tokens);
  });

  it.each<[number, EndpointFormat]>([
    [1, "openai-embeddings"],
    [1, "openai-completions"],
    [1, "openai-moderations"],
    [1, "openai-images"],
    [1, "openai-speech"],
    [1, "openai-transcriptions"],
    [24, "gemini-embed"],
    [34, "rerank"],
  ])("fails for an error or an HTML page with status 200 (type %i, %s)", (type, name) => {
    const provider = endpoint(type, name);
    expect(() => provider.parseResponse({ error: { message: "no" } })).toThrow(StreamFailure);
    expect(() => provider.parseResponse({ odd: true })).toThrow(StreamFailure);
  });
});

describe("plain-text transcript", () => {
  it.each(["", "null", '{"text":"cut o', "[", "<html>"])("is refused: %j", (text) => {
    expect(() => endpoint(1, "openai-transcriptions").parseResponse(text)).toThrow(StreamFailure);
  });

  it.each(["hello", "\n", "1\n00:00:00,000 --> 00:00:01,000\nhi\n"])("is accepted: %j", (text) => {
    expect(endpoint(1, "openai-transcriptions").parseResponse(text).usage).toBeUndefined();
  });
});

const read = (provider: Provider, lines: readonly string[]): StreamPart[] =>
  readParts(provider.newStreamReader(), Buffer.from(lines.map((line) => `data: ${line}\n\n`).join("")));

describe("streams", () => {
  it("carries the text of completions, and the usage before the end mark", () => {
    const parts = read(endpoint(1, "openai-completions"), [
      '{"id":"cmpl-1","object":"text_completion","choices":[{"text":"Hel","index":0,"logprobs":null,"finish_reason":null}],"usage":null}',
      '{"id":"cmpl-1","object":"text_completion","choices":[{"text":"lo","index":0,"logprobs":null,"finish_reason":"stop"}],"usage":null}',
      '{"id":"cmpl-1","object":"text_completion","choices":[],"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4}}',
      "[DONE]",
    ]);
    expect(parts.map(({ type }) => type)).toEqual(["start", "text-delta", "text-delta", "finish"]);
    expect(parts.at(-1)).toMatchObject({ usage: { promptTokens: 2, completionTokens: 2 } });
  });

  it("carries the finish reason of completions", () => {
    const chunk = (text: string, reason: string | null) =>
      JSON.stringify({ choices: [{ index: 0, text, finish_reason: reason }] });
    const parts = read(endpoint(1, "openai-completions"), [chunk("Hi", null), chunk("", "length"), "[DONE]"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", reason: "length" });
  });

  it("carries the usage of responses with the final event", () => {
    const ended = (type: string, status: string): string =>
      `{"type":"${type}","response":{"status":"${status}","usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":1},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":2}}}}`;
    for (const [type, status, reason] of [
      ["response.completed", "completed", "stop"],
      ["response.incomplete", "incomplete", "other"],
    ] as const) {
      const parts = read(endpoint(1, "openai-responses"), [
        '{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[]}}',
        '{"type":"response.output_text.delta","delta":"Hi"}',
        ended(type, status),
      ]);
      expect(parts).toEqual([
        { type: "start", id: "resp_1", model: "" },
        { type: "text-delta", text: "Hi" },
        {
          type: "finish",
          reason,
          ...(reason === "other" ? { detail: "incomplete" } : {}),
          usage: { promptTokens: 3, completionTokens: 4, cacheReadTokens: 1, cacheWriteTokens: 0, reasoningTokens: 2 },
        },
      ]);
    }
  });

  it.each([
    '{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"slow down"}}}',
    '{"type":"error","code":"rate_limit_exceeded","message":"slow down","param":null}',
  ])("fails on a failure event of responses: %s", (line) => {
    const status = expect.objectContaining({ status: 429, message: "slow down" }) as Error;
    expect(() => read(endpoint(1, "openai-responses"), [line])).toThrow(status);
  });

  it("ends with the completed image", () => {
    const reader = endpoint(1, "openai-images").newStreamReader();
    reader.read({ event: undefined, data: '{"type":"image_generation.partial_image","b64_json":"AA=="}' });
    expect(reader.isComplete()).toBe(false);
    const usage = '{"input_tokens":9,"output_tokens":300,"total_tokens":309}';
    reader.read({ event: undefined, data: `{"type":"image_generation.completed","b64_json":"AA==","usage":${usage}}` });
    expect(reader.isComplete()).toBe(true);
    expect(reader.end()).toMatchObject([{ usage: { promptTokens: 9, completionTokens: 300 } }]);
  });

  it("is complete if its bytes arrived, and fails if none did", () => {
    const full = endpoint(1, "openai-speech").newStreamReader();
    full.read({ event: undefined, data: "" });
    expect(full.end()).toHaveLength(1);
    expect(() => endpoint(1, "openai-speech").newStreamReader().end()).toThrow(StreamFailure);
  });
});

it("does not request base64 from providers that return only floats", () => {
  const adapt = endpoint(42, "openai-embeddings").adaptBody;
  expect(adapt?.({ model: "m", input: "x", encoding_format: "base64" }, targetFor({}))).toEqual({
    model: "m",
    input: "x",
  });
});

it("sends the vector dimensions to Mistral under its own name", () => {
  const request = { model: "m", input: "x", dimensions: 256, encoding_format: "base64", user: "u" };
  const requested = { model: "m", input: "x", output_dimension: 256 };
  expect(endpoint(42, "openai-embeddings").adaptBody?.(request, targetFor({}))).toEqual(requested);
  const call = { content: { parts: [{ text: "x" }] }, outputDimensionality: 256 };
  expect(endpoint(42, "gemini-embed").adaptBody?.(call, targetFor({ model: "m" }))).toEqual({
    ...requested,
    input: ["x"],
  });
});

it("uses the formats that Zhipu supports", () => {
  const { address, adaptBody } = endpoint(26, "openai-speech");
  const target = targetFor({ channelType: 26 });
  expect(address(target, false).url).toBe("https://open.bigmodel.cn/api/paas/v4/audio/speech");
  const body = { model: "glm-tts", input: "hi", voice: "tongtong" };
  expect(adaptBody?.(body, target)).toEqual({ ...body, response_format: "wav" });
  expect(adaptBody?.({ ...body, response_format: "mp3" }, target)).toEqual({ ...body, response_format: "wav" });
  const pcm = { ...body, response_format: "pcm" };
  expect(adaptBody?.(pcm, target)).toBe(pcm);
  expect(endpoint(26, "openai-transcriptions").address(target, false).url).toBe(
    "https://open.bigmodel.cn/api/paas/v4/audio/transcriptions",
  );
});
