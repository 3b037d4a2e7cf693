import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { Dialect, EndpointRules } from "../../core/call/dialect.ts";
import { openAiCompletions } from "../openai-completions/openai-completions.ts";
import { openAiEmbeddings } from "./embeddings.ts";
import { geminiBatchEmbed, geminiEmbed } from "./gemini-embed.ts";
import { openAiImageEdits } from "./image-edits.ts";
import { openAiImages } from "./images.ts";
import { openAiModerations } from "./moderations.ts";
import { rerank } from "./rerank.ts";
import { openAiSpeech } from "./speech.ts";
import { openAiTranscriptions, openAiTranslations } from "./transcriptions.ts";

function getRules({ endpoint }: Dialect): EndpointRules {
  if (!endpoint) throw new Error("not an endpoint of its own");
  return endpoint;
}

function wrongField(dialect: Dialect, body: Json): string | undefined {
  try {
    dialect.readFields(body, undefined);
  } catch (error) {
    if (error instanceof RelayError && error.code === "invalid_request") return error.param;
    throw error;
  }
  return "nothing";
}

const charged = { model: "m", usage: { ...NO_USAGE, promptTokens: 9 } };

describe("endpoint input validation", () => {
  it.each<[string, Dialect, Json, string]>([
    ["embeddings without a model", openAiEmbeddings, { input: "x" }, "model"],
    ["embeddings without input", openAiEmbeddings, { model: "m" }, "input"],
    ["embeddings of nothing", openAiEmbeddings, { model: "m", input: [] }, "input"],
    ["embeddings of an empty text", openAiEmbeddings, { model: "m", input: ["x", ""] }, "input[1]"],
    ["embeddings of an object", openAiEmbeddings, { model: "m", input: { text: "x" } }, "input"],
    ["embeddings in hex", openAiEmbeddings, { model: "m", input: "x", encoding_format: "hex" }, "encoding_format"],
    ["completions without a prompt", openAiCompletions, { model: "m" }, "prompt"],
    ["completions of an empty prompt", openAiCompletions, { model: "m", prompt: "" }, "prompt"],
    ["completions without a model", openAiCompletions, { prompt: "x" }, "model"],
    [
      "completions with a bound that is none",
      openAiCompletions,
      { model: "m", prompt: "x", max_tokens: -1 },
      "max_tokens",
    ],
    ["moderations of nothing", openAiModerations, { input: "" }, "input"],
    ["rerank without a query", rerank, { model: "m", documents: ["x"] }, "query"],
    ["rerank without documents", rerank, { model: "m", query: "x", documents: [] }, "documents"],
    ["rerank of a text", rerank, { model: "m", query: "x", documents: "y" }, "documents"],
    ["images without a prompt", openAiImages, { model: "dall-e-3" }, "prompt"],
    ["images of another size", openAiImages, { model: "dall-e-3", prompt: "x", size: "256x256" }, "size"],
    ["images of a size with the wrong letter", openAiImages, { model: "m", prompt: "x", size: "256×256" }, "size"],
    ["too many images", openAiImages, { prompt: "x", n: 11 }, "n"],
    ["Google's embeddings of nothing", geminiEmbed, { model: "m", content: { parts: [] } }, "content.parts"],
    ["Google's batch of nothing", geminiBatchEmbed, { model: "m", requests: [] }, "requests"],
    ["Google's batch with a hole", geminiBatchEmbed, { model: "m", requests: [{}] }, "requests[0].content"],
    ["transcriptions without a file", openAiTranscriptions, { model: "whisper-1" }, "file"],
    ["translations of a text", openAiTranslations, { file: "x" }, "file"],
    ["image edits without an image", openAiImageEdits, { prompt: "x" }, "image"],
    ["image edits of many", openAiImageEdits, { prompt: "x", image: "y", n: "99" }, "n"],
    ["speech of nothing", openAiSpeech, { model: "tts-1", voice: "alloy" }, "input"],
  ])("%s", (_, dialect, body, param) => {
    expect(wrongField(dialect, body)).toBe(param);
  });
});

describe("embeddings endpoint", () => {
  const rules = getRules(openAiEmbeddings);

  it("prefers the model in the URL over the model in the body", () => {
    const path = { model: "text-embedding-3-small", stream: false };
    expect(openAiEmbeddings.readFields({ input: "x" }, path)).toMatchObject({ model: path.model, maxOutputTokens: 0 });
  });

  it("counts texts by their text and token ids by their number", () => {
    expect(rules.prompt({ input: ["one", "two"] })).toMatchObject({ texts: ["one", "two"], extraTokens: 0 });
    expect(
      rules.prompt({
        input: [
          [1, 2, 3],
          [4, 5],
        ],
      }),
    ).toMatchObject({ text: "", extraTokens: 5 });
  });

  it("returns base64 if requested and upstream returns only lists", () => {
    const response = { object: "list", data: [{ index: 0, embedding: [0.5, -1, 2] }], usage: { prompt_tokens: 1 } };
    const raw = Buffer.from(JSON.stringify(response));
    const packed = JSON.parse(
      rules.rewriteResponse?.({ encoding_format: "base64" }, raw, charged).toString() ?? "",
    ) as {
      data: { embedding: string }[];
    };
    const bytes = Buffer.from(packed.data[0]?.embedding ?? "", "base64");
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual([0.5, -1, 2]);
    expect(rules.rewriteResponse?.({}, raw, charged)).toBe(raw);
  });

  it("reports the charged usage if upstream reports none", () => {
    const raw = Buffer.from('{"object":"list","data":[{"index":0,"embedding":[0.5]}],"model":"m"}');
    expect(JSON.parse(rules.rewriteResponse?.({}, raw, charged).toString() ?? "")).toEqual({
      object: "list",
      data: [{ index: 0, embedding: [0.5] }],
      model: "m",
      usage: { prompt_tokens: 9, total_tokens: 9 },
    });
  });
});

describe("rerank endpoint", () => {
  const requested = { model: "m", query: "q", documents: ["first", { text: "second" }] };
  const completed = (body: Json, response: object): unknown =>
    JSON.parse(
      getRules(rerank)
        .rewriteResponse?.(body, Buffer.from(JSON.stringify(response)), charged)
        .toString() ?? "",
    );
  const scored = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ];

  it("adds model and usage if upstream reports usage only in meta, and keeps meta", () => {
    const meta = { billed_units: { search_units: 1 } };
    const usage = { prompt_tokens: 9, total_tokens: 9 };
    expect(completed(requested, { id: "x", results: scored, meta })).toEqual({
      id: "x",
      model: "m",
      results: scored,
      usage,
      meta,
    });
  });

  it("includes requested documents and drops empty ones", () => {
    const [second, first] = scored;
    const empty = scored.map((one) => ({ ...one, document: null }));
    expect(completed(requested, { results: empty })).toMatchObject({ results: scored });
    expect(completed({ ...requested, return_documents: true }, { results: scored })).toMatchObject({
      results: [
        { ...second, document: { text: "second" } },
        { ...first, document: { text: "first" } },
      ],
    });
  });

  it("passes a complete response through unchanged", () => {
    const raw = Buffer.from(JSON.stringify({ model: "jina", usage: { total_tokens: 8 }, results: scored }));
    expect(getRules(rerank).rewriteResponse?.(requested, raw, charged)).toBe(raw);
  });
});

describe("images endpoint", () => {
  it.each<[Json, number]>([
    [{ prompt: "x" }, 1],
    [{ prompt: "x", n: 3, size: "512x512" }, 1.35],
    [{ prompt: "x", n: 0, size: "256x256" }, 0.4],
    [{ model: "dall-e-3", prompt: "x", quality: "hd" }, 2],
    [{ model: "dall-e-3", prompt: "x", quality: "hd", size: "1792x1024" }, 3],
    [{ model: "gpt-image-1", prompt: "x", quality: "hd", size: "1536x1024", n: 2 }, 2],
    [{ model: "@cf/black-forest-labs/flux-2-dev", prompt: "x" }, 1],
    [{ model: "@cf/black-forest-labs/flux-2-dev", prompt: "x", size: "1920x1080" }, 3],
    [{ model: "@cf/leonardo/phoenix-1.0", prompt: "x", width: 512, height: 256 }, 0.25],
  ])("prices %j as %d base images", (body, units) => {
    expect(getRules(openAiImages).priceUnits?.(body)).toBe(units);
  });
});

describe("speech", () => {
  it("counts characters for models priced by character, and text for the others", () => {
    const { prompt } = getRules(openAiSpeech);
    expect(prompt({ input: "Grüezi 👋" })).toEqual({ text: "", extraTokens: 8, isExact: true });
    // MiniMax counts characters differently and reports the count.
    expect(prompt({ model: "speech-02-hd", input: "Grüezi" })).toEqual({ text: "", extraTokens: 6, isExact: false });
    expect(prompt({ model: "gpt-4o-mini-tts", input: "Grüezi" })).toMatchObject({ text: "Grüezi", extraTokens: 0 });
  });
});

describe("completions call on a chat-only channel", () => {
  const body = { model: "m", prompt: ["Once"], max_tokens: 9, stream: true, stream_options: { include_usage: true } };

  it("sends the prompt as a message", () => {
    expect(openAiCompletions.parseRequest(body, { model: "m", stream: true })).toMatchObject({
      messages: [{ role: "user", parts: [{ type: "text", text: "Once" }] }],
      maxOutputTokens: 9,
      includeUsage: true,
    });
  });

  it.each<[Json, string]>([
    [{ ...body, prompt: ["a", "b"] }, "prompt"],
    [{ ...body, prompt: [1, 2] }, "prompt"],
    [{ ...body, suffix: "end" }, "suffix"],
    [{ ...body, echo: true }, "echo"],
  ])("is refused for fields without a chat equivalent: %j", (refused, param) => {
    const parse = (): unknown => openAiCompletions.parseRequest(refused, { model: "m", stream: true });
    expect(parse).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });

  it("returns the completions format, streaming and non-streaming", () => {
    const context = { requestId: "r", model: "m", includeUsage: true, createdAtSeconds: 1 };
    const usage = { promptTokens: 2, completionTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    const parts = [{ type: "text" as const, text: "upon" }];
    const response = { id: "", model: "", createdAtSeconds: 0, parts, finishReason: "length" as const, usage };
    expect(openAiCompletions.writeResponse(response, context)).toMatchObject({
      object: "text_completion",
      choices: [{ text: "upon", finish_reason: "length" }],
      usage: { prompt_tokens: 2, completion_tokens: 3 },
    });
    const writer = openAiCompletions.newStreamWriter(context);
    const text =
      writer.write({ type: "text-delta", text: "upon" }) + writer.write({ type: "finish", reason: "stop", usage });
    const chunks = text.split("\n\n").filter((line) => line.startsWith("data: {"));
    expect(chunks.map((line) => (JSON.parse(line.slice(6)) as { choices: unknown[] }).choices.length)).toEqual([
      1, 1, 0,
    ]);
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
  });
});

describe("Google embeddings endpoint", () => {
  const content = (text: string): Json => ({ parts: [{ text }] });
  const response = Buffer.from('{"data":[{"embedding":[1,2]},{"embedding":[3,4]}],"usage":{"prompt_tokens":2}}');
  const rewritten = (dialect: Dialect, body: Json): unknown =>
    JSON.parse(getRules(dialect).rewriteResponse?.(body, response, charged).toString() ?? "");

  it("counts the text of every request", () => {
    const requests = [{ model: "models/m", content: content("one") }, { content: content("two") }];
    expect(getRules(geminiBatchEmbed).prompt({ requests })).toMatchObject({ text: "one\ntwo" });
    expect(getRules(geminiEmbed).prompt({ content: content("one") })).toMatchObject({ text: "one" });
  });

  it("converts responses of upstreams with OpenAI's format", () => {
    expect(rewritten(geminiBatchEmbed, { requests: [] })).toEqual({
      embeddings: [{ values: [1, 2] }, { values: [3, 4] }],
    });
    expect(rewritten(geminiEmbed, {})).toEqual({ embedding: { values: [1, 2] } });
    const own = Buffer.from('{"embeddings":[{"values":[1]}]}');
    expect(getRules(geminiBatchEmbed).rewriteResponse?.({}, own, charged)).toBe(own);
  });
});

describe("image edits and transcriptions", () => {
  it("streams if the form requests it, except for whisper", () => {
    const file = { filename: "a", content: Buffer.alloc(4) };
    const streams = (dialect: Dialect, body: Json) => dialect.readFields(body, undefined).stream;
    expect(streams(openAiImageEdits, { prompt: "x", image: file, stream: "true" })).toBe(true);
    expect(streams(openAiTranscriptions, { model: "gpt-4o-transcribe", file, stream: "true" })).toBe(true);
    expect(streams(openAiTranscriptions, { file, stream: "true" })).toBe(false);
  });
});
