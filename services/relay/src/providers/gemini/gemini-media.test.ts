import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { describe, expect, it } from "vitest";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { openAiImages } from "../../dialects/endpoints/images.ts";
import { writeGeminiResponse } from "../../dialects/gemini-generate/gemini-response.ts";
import { newGeminiStreamWriter } from "../../dialects/gemini-generate/gemini-stream.ts";
import { writeOpenAiResponse } from "../../dialects/openai-chat/openai-response.ts";
import { newOpenAiStreamWriter } from "../../dialects/openai-chat/openai-stream.ts";
import { DEFAULT_SETTINGS, targetFor } from "../shared/fixtures.ts";
import { vertex } from "../vertex/vertex.ts";
import { gemini } from "./gemini.ts";
import { newGeminiStreamReader } from "../formats/gemini/gemini-stream-reader.ts";

const IMAGE = Buffer.from("a picture").toString("base64");
const context = { requestId: "r1", model: "painter", includeUsage: false, createdAtSeconds: 1 };
const result = {
  candidates: [
    {
      content: { parts: [{ text: "Here: " }, { inlineData: { mimeType: "image/png", data: IMAGE } }] },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1290, totalTokenCount: 1295 },
  modelVersion: "gemini-2.5-flash-image",
};
const request: ChatRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "draw" }] }],
  stream: false,
  includeUsage: false,
};
const getConfig = (model: string): unknown =>
  (gemini.buildRequest(request, targetFor({ channelType: 24, model })).json["generationConfig"] as Json)[
    "responseModalities"
  ];

describe("generated image in a chat response", () => {
  it("is Markdown for OpenAI callers and an image for Google callers", () => {
    const response = gemini.parseResponse(result);
    expect(writeOpenAiResponse(response, context)).toMatchObject({
      choices: [{ message: { content: `Here: ![image](data:image/png;base64,${IMAGE})` } }],
    });
    expect(writeGeminiResponse(response, context)).toMatchObject({
      candidates: [
        { content: { parts: [{ text: "Here: " }, { inlineData: { mimeType: "image/png", data: IMAGE } }] } },
      ],
    });
  });

  it("is the same in streams", () => {
    const parts = newGeminiStreamReader().read({ event: undefined, data: JSON.stringify(result) });
    expect(parts.at(-1)).toEqual({ type: "media", mediaType: "image/png", data: IMAGE });
    const written = (writer: { write: (part: (typeof parts)[number]) => string }): string =>
      parts.map((part) => writer.write(part)).join("");
    expect(written(newOpenAiStreamWriter(context))).toContain(`![image](data:image/png;base64,${IMAGE})`);
    expect(written(newGeminiStreamWriter(context))).toContain(
      `{"inlineData":{"mimeType":"image/png","data":"${IMAGE}"}}`,
    );
  });

  it("is requested from models named accordingly, and from those in the option's list", () => {
    expect(getConfig("gemini-2.5-flash-image")).toEqual(["TEXT", "IMAGE"]);
    expect(getConfig("gemini-2.0-flash-exp")).toEqual(["TEXT", "IMAGE"]);
    expect(getConfig("gemini-2.0-flash")).toBeUndefined();
  });
});

describe("Google search count", () => {
  const searched = (modelVersion: string) => ({
    ...result,
    modelVersion,
    candidates: [{ ...result.candidates[0], groundingMetadata: { webSearchQueries: ["a", "b"] } }],
  });
  it("is one per prompt, and one per query from the third generation on", () => {
    expect(gemini.parseResponse(searched("gemini-2.5-flash")).usage?.toolCalls).toEqual({ google_search: 1 });
    expect(gemini.parseResponse(searched("gemini-3-flash-preview")).usage?.toolCalls).toEqual({ google_search: 2 });
    expect(gemini.parseResponse(result).usage?.toolCalls).toBeUndefined();
  });

  const placed = (modelVersion: string, groundingMetadata: object) => ({
    ...searched(modelVersion),
    candidates: [{ ...result.candidates[0], groundingMetadata }],
  });
  const PLACES = [{ maps: { uri: "https://maps.example/1", title: "A place" } }];
  const PAGES = [{ web: { uri: "https://example.org", title: "A page" } }];
  it.each([
    ["gemini-3-flash-preview", { groundingChunks: PLACES, webSearchQueries: ["a", "b"] }, { google_maps: 2 }],
    ["gemini-2.5-flash", { groundingChunks: PLACES, webSearchQueries: ["a", "b"] }, { google_maps: 1 }],
    [
      "gemini-3.1-flash-image",
      { groundingChunks: [{ image: { sourceUri: "https://example.org" } }], imageSearchQueries: ["a", "b"] },
      { google_search: 2 },
    ],
    ["gemini-3-flash-preview", { groundingChunks: PLACES }, { google_maps: 1 }],
    ["gemini-3-flash-preview", { googleMapsWidgetContextToken: "t" }, { google_maps: 1 }],
    [
      "gemini-3-flash-preview",
      { groundingChunks: [...PLACES, ...PAGES], webSearchQueries: ["a", "b"] },
      { google_search: 2, google_maps: 1 },
    ],
  ])("is that of Google Maps where only places are cited: %s, %o", (model, metadata, expected) => {
    expect(gemini.parseResponse(placed(model, metadata)).usage?.toolCalls).toEqual(expected);
    const reader = newGeminiStreamReader();
    reader.read({ event: undefined, data: JSON.stringify(placed(model, metadata)) });
    expect(reader.end()).toMatchObject([{ usage: { toolCalls: expected } }]);
  });

  it("is one in a stream that reports a search several times", () => {
    const reader = newGeminiStreamReader();
    const data = JSON.stringify(searched("gemini-3-flash-preview"));
    reader.read({ event: undefined, data });
    reader.read({ event: undefined, data });
    expect(reader.end()).toMatchObject([{ usage: { toolCalls: { google_search: 2 } } }]);
  });
});

describe("response of a Gemini model", () => {
  const hold = (fields: object, parts: readonly Json[] = [{ text: "Noon." }]) => ({
    ...result,
    candidates: [{ content: { parts }, finishReason: "STOP", ...fields }],
  });

  it("keeps the words of generated speech and the addresses of stored media, non-streaming and streaming", () => {
    const body = hold({}, [
      { audioTranscription: { text: "It strikes twelve. " } },
      { fileData: { mimeType: "image/png", fileUri: "https://a.example/clock.png" } },
      { fileData: { mimeType: "video/mp4", fileUri: "https://a.example/clock.mp4" } },
    ]);
    const expected = "It strikes twelve. ![image](https://a.example/clock.png)[file](https://a.example/clock.mp4)";
    expect(
      gemini
        .parseResponse(body)
        .parts.map((part) => part.type === "text" && part.text)
        .join(""),
    ).toBe(expected);
    const parts = newGeminiStreamReader().read({ event: undefined, data: JSON.stringify(body) });
    expect(parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("")).toBe(expected);
  });

  it.each([
    [{ maps: { uri: "https://maps.example/1", title: "Tower" } }, [{ url: "https://maps.example/1", title: "Tower" }]],
    [{ image: { sourceUri: "https://a.example", title: "Clock" } }, [{ url: "https://a.example", title: "Clock" }]],
    [{ retrievedContext: { uri: "https://a.example/1", title: "T" } }, [{ url: "https://a.example/1", title: "T" }]],
    [{ retrievedContext: { uri: "gs://bucket/1", title: "T" } }, undefined],
  ])("cites what has an address: %o", (chunk, expected) => {
    const { citations } = gemini.parseResponse(hold({ groundingMetadata: { groundingChunks: [chunk] } }));
    expect(citations?.map(({ url, title }) => ({ url, title }))).toEqual(expected);
  });

  it("is charged for the media that server tools returned", () => {
    const usageMetadata = {
      promptTokenCount: 100,
      toolUsePromptTokenCount: 30,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
      toolUsePromptTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }],
    };
    expect(gemini.parseResponse({ ...result, usageMetadata }).usage).toMatchObject({
      promptTokens: 130,
      audioPromptTokens: 30,
    });
  });
});

describe("pass-through body for a name with a suffix", () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    geminiThinkingAdapter: { ...DEFAULT_SETTINGS.geminiThinkingAdapter, enabled: true },
  };
  const adapted = (model: string, body: Json): unknown =>
    gemini.adaptBody?.(body, targetFor({ channelType: 24, model, settings }));
  it.each([
    ["gemini-2.5-flash-thinking-2048", { thinkingBudget: 2048, includeThoughts: true }],
    ["gemini-2.5-flash-nothinking", { thinkingBudget: 0, includeThoughts: false }],
    ["gemini-2.5-flash-thinking", { thinkingBudget: 600, includeThoughts: true }],
  ])("sets the reasoning that the suffix requests: %s", (model, thinkingConfig) => {
    const body = { contents: [], generationConfig: { maxOutputTokens: 1000, temperature: 0.5 } };
    expect(adapted(model, body)).toEqual({ ...body, generationConfig: { ...body.generationConfig, thinkingConfig } });
  });
  it("is the same object without a suffix", () => {
    const body = { contents: [] };
    expect(adapted("gemini-2.5-flash", body)).toBe(body);
  });
});

describe("image generation", () => {
  const charged = { model: "m", usage: NO_USAGE };
  const images = gemini.endpoints?.["openai-images"];
  const target = (model: string) => targetFor({ channelType: 24, model });
  const rewritten = (body: object): unknown =>
    JSON.parse(
      openAiImages.endpoint?.rewriteResponse?.({}, Buffer.from(JSON.stringify(body)), charged).toString() ?? "",
    );

  it("is a prediction of Imagen", () => {
    const imagen = target("imagen-4.0-generate-001");
    expect(images?.address(imagen, false).url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/imagen-4.0-generate-001:predict",
    );
    expect(
      images?.adaptBody?.({ model: "x", prompt: "a cat", n: 2, size: "1792x1024", quality: "hd" }, imagen),
    ).toEqual({
      instances: [{ prompt: "a cat" }],
      parameters: { sampleCount: 2, aspectRatio: "16:9", personGeneration: "allow_adult" },
    });
    const predictions = [{ mimeType: "image/png", bytesBase64Encoded: IMAGE }, { raiFilteredReason: "a face" }];
    expect(images?.parseResponse({ predictions }).usage).toMatchObject({ images: 1 });
    const filtered = [...predictions, { raiFilteredReason: "unsafe" }];
    expect(images?.parseResponse({ predictions: filtered }).usage).toMatchObject({ images: 1 });
    expect(rewritten({ predictions })).toEqual({ created: expect.any(Number), data: [{ b64_json: IMAGE }] });
  });

  it("is refused with upstream's reason if all images were filtered", () => {
    expect(() => images?.parseResponse({ predictions: [{ raiFilteredReason: "a face" }] })).toThrow(/a face/);
    expect(() => images?.parseResponse({})).toThrow(/filtered/);
  });

  it("is a chat call for Gemini's image models, with the reported tokens", () => {
    const imageModel = target("gemini-2.5-flash-image");
    expect(images?.address(imageModel, false).url).toMatch(/gemini-2\.5-flash-image:generateContent$/);
    expect(images?.adaptBody?.({ prompt: "a cat", size: "1024x1792" }, imageModel)).toEqual({
      contents: [{ role: "user", parts: [{ text: "a cat" }] }],
      generationConfig: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { aspectRatio: "9:16" } },
    });
    expect(images?.parseResponse(result).usage).toEqual({ ...NO_USAGE, promptTokens: 5, completionTokens: 1290 });
    expect(rewritten(result)).toMatchObject({ data: [{ b64_json: IMAGE }] });
    expect(() => images?.adaptBody?.({ prompt: "a cat" }, target("gemini-2.5-flash"))).toThrow(/does not generate/);
  });

  it("passes OpenAI's own responses through unchanged", () => {
    const bytes = Buffer.from('{"created":1,"data":[{"b64_json":"aGk="}]}');
    expect(openAiImages.endpoint?.rewriteResponse?.({}, bytes, charged)).toBe(bytes);
  });

  it("is sent to Imagen through Vertex", () => {
    expect(vertex.forModel?.("imagen-4.0-generate-001").endpoints?.["openai-images"]).toBeDefined();
    expect(vertex.forModel?.("claude-sonnet-4-5").endpoints?.["openai-images"]).toBeUndefined();
  });
});
