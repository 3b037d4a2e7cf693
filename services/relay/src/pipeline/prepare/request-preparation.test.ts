import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import { openAiImages } from "../../dialects/endpoints/images.ts";
import { openAiSpeech } from "../../dialects/endpoints/speech.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiTranscriptions } from "../../dialects/endpoints/transcriptions.ts";
import { openAiResponses } from "../../dialects/openai-responses/openai-responses.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { getFields, parseForm } from "../../core/call/multipart.ts";
import { prepareRequest } from "./request-preparation.ts";
import { isStreamed } from "./serving-rules.ts";

const CLOUDFLARE = 39;
const TURBO = "@cf/openai/whisper-large-v3-turbo";
const RUN = "https://api.cloudflare.com/client/v4/accounts/acc1/ai/run";

const options = {
  json: () => ({}),
  flag: () => false,
  number: () => 0,
  text: () => "",
} as unknown as OptionsInForce;
const timeouts = { firstByteMs: 1, idleMs: 2, nonStreamingMs: 3 };
const context = { options, timeouts, nowMs: 0, accessToken: undefined };

const channel = (given: Partial<RoutedChannel>): RoutedChannel =>
  ({
    type: CLOUDFLARE,
    baseUrl: "",
    organization: "",
    other: "acc1",
    prefix: "",
    modelMapping: {},
    paramOverride: undefined,
    proxy: undefined,
    hasSetting: false,
    ...given,
  }) as RoutedChannel;

const getCall = (dialect: Dialect, body: Json, form?: RelayCall["form"]): RelayCall =>
  ({
    dialect,
    body,
    bodyText: JSON.stringify(body),
    form,
    model: body["model"],
    stream: false,
    clientHeaders: {},
    tried: [],
  }) as unknown as RelayCall;

const prepared = (call: RelayCall, given: Partial<RoutedChannel> = {}) =>
  prepareRequest(call, { channel: channel(given), key: "cf-token" }, context);

const BODY = `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nhear\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFFsound\r\n--b--\r\n`;
const form = parseForm(Buffer.from(BODY), "multipart/form-data; boundary=b");
const heard = getCall(openAiTranscriptions, getFields(form), form);

describe("form for an upstream that does not accept forms", () => {
  it("is sent as the body the provider builds from its fields, to the mapped model's URL", () => {
    const { request } = prepared(heard, { modelMapping: { hear: "@cf/openai/whisper" } });
    expect(request.url).toBe(`${RUN}/@cf/openai/whisper`);
    expect(request.headers).toEqual({ "content-type": "application/octet-stream", authorization: "Bearer cf-token" });
    expect(String(request.body)).toBe("RIFFsound");
  });

  it("includes the operator's overrides", () => {
    const { request } = prepared(heard, { modelMapping: { hear: TURBO }, paramOverride: { language: "no" } });
    expect(JSON.parse(String(request.body))).toMatchObject({ language: "no", task: "transcribe" });
  });

  it("is sent part by part to all other providers", () => {
    const { request, finish } = prepared(heard, { type: 1 });
    const sent = Buffer.concat(request.body as Buffer[]);
    expect(parseForm(sent, request.headers["content-type"] ?? "").parts).toEqual(form.parts);
    expect(request.headers["content-length"]).toBe(String(sent.length));
    expect(finish).toBeUndefined();
  });
});

describe("call of the Responses API for Claude", () => {
  const requested = (dialect: Dialect, given: object = {}) => {
    const body = {
      model: "claude-sonnet-4-5",
      max_tokens: undefined,
      input: "x",
      messages: [{ role: "user", content: "x" }],
    };
    const path = { model: body.model, stream: false };
    const call = { ...getCall(dialect, body), ...given, request: () => dialect.parseRequest(body, path) } as RelayCall;
    return JSON.parse(String(prepared(call, { type: 14, other: "" }).request.body))["max_tokens"] as number;
  };

  it("has the model's maximum output if the caller sets no limit, and no other dialect has", () => {
    expect(requested(openAiResponses)).toBe(64_000);
    expect(requested(openAiChat)).toBe(8192);
    expect(requested(openAiResponses, { maxOutputTokens: 50 })).toBe(8192);
  });
});

describe("speech", () => {
  const audio = { ...getCall(openAiSpeech, { model: "say", input: "Hi", voice: "v" }), stream: true };

  it("is streamed in the format the caller requested if upstream's format differs", () => {
    const { request, written, provider } = prepared(audio, { type: 35, other: "" });
    expect(written?.contentType).toBe("audio/mpeg");
    expect([request.firstByteMs, request.idleMs]).toEqual([1, 2]);
    expect(isStreamed(audio, provider)).toBe(true);
    expect(prepared(audio, { type: 1 })).not.toHaveProperty("written");
  });

  it("has the timeout of a non-streaming response if post-processing produces the bytes", () => {
    const { request, finish, provider } = prepared(audio, { type: 17 });
    expect([request.firstByteMs, request.idleMs]).toEqual([3, 3]);
    expect(finish).toBeTypeOf("function");
    expect(isStreamed(audio, provider)).toBe(false);
  });
});

describe("post-processing by a provider", () => {
  const drawn = getCall(openAiImages, { model: "paint", prompt: "a cat", size: "512x512" });
  const mapped = { modelMapping: { paint: "@cf/painter" } };

  it("receives the call, and is absent for all other calls", async () => {
    const { request, finish } = prepared(drawn, mapped);
    expect(request.url).toBe(`${RUN}/@cf/painter`);
    expect(JSON.parse(String(request.body))).toEqual({ prompt: "a cat", width: 512, height: 512 });
    const response = { headers: { "content-type": "image/png" }, body: Buffer.from("x") };
    const done = await finish?.(response, {} as never);
    expect(JSON.parse(done?.body.toString() ?? "")).toMatchObject({ data: [{ b64_json: "eA==" }] });
    expect(prepared(drawn, { type: 1 })).not.toHaveProperty("finish");
  });

  it("is kept for channels with settings", () => {
    const { request, finish } = prepared(drawn, { ...mapped, hasSetting: true, proxy: "http://proxy.test:1" });
    expect(request.proxy).toBe("http://proxy.test:1");
    expect(finish).toBeTypeOf("function");
  });
});

describe("chat call of a model that only the Responses API serves", () => {
  const body = { model: "deep", stream: true, messages: [{ role: "user", content: "Hi" }] };
  const call = {
    ...getCall(openAiChat, body),
    stream: true,
    request: () => openAiChat.parseRequest(body),
  } as RelayCall;
  const OPENAI = { type: 1, other: "" };

  it("uses the mapped name and accepts overrides", () => {
    const given = { ...OPENAI, modelMapping: { deep: "o3-pro" }, paramOverride: { store: true } };
    const { request, passThrough } = prepared(call, given);
    expect(request.url).toBe("https://api.openai.com/v1/responses");
    expect(JSON.parse(String(request.body))).toMatchObject({ model: "o3-pro", stream: true, store: true });
    expect(passThrough).toBe(false);
    expect(prepared(call, OPENAI).request.url).toBe("https://api.openai.com/v1/chat/completions");
  });

  it("has the timeout of a non-streaming response if its model refuses streams", () => {
    const waits = (model: string) => prepared(call, { ...OPENAI, modelMapping: { deep: model } }).request;
    expect(waits("o3-pro")).toMatchObject({ firstByteMs: 1, idleMs: 2 });
    expect(waits("o1-pro")).toMatchObject({ firstByteMs: 3, idleMs: 3 });
  });
});

describe("call for several candidates", () => {
  const requested = getCall(openAiChat, { model: "m", n: 2, messages: [{ role: "user", content: "hi" }] });
  const openAi = { type: 1 };

  it("is passed through unchanged", () => {
    expect(prepared(requested, openAi).passThrough).toBe(true);
  });

  it.each([
    ["written anew", requested, { hasSetting: true, forceFormat: true }],
    ["made a stream here", { ...requested, stream: true }, { neverStreams: true }],
    ["filtered", { ...requested, content: { filtersOutput: true } as NonNullable<RelayCall["content"]> }, {}],
  ])("is refused if the number is %s", (_, call, given) => {
    expect(() => prepared(call, { ...openAi, ...given })).toThrow("n above 1");
  });
});
