import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import { openAiImages } from "../../dialects/endpoints/images.ts";
import { openAiSpeech } from "../../dialects/endpoints/speech.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { openAiTranscriptions } from "../../dialects/endpoints/transcriptions.ts";
import type { RoutedChannel } from "../../core/call/channel.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import { fieldsOf, parseForm } from "../../core/call/multipart.ts";
import { isStreamed, prepareRequest } from "./request-preparation.ts";

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

const callOf = (dialect: Dialect, body: Json, form?: RelayCall["form"]): RelayCall =>
  ({
    dialect,
    body,
    bodyText: JSON.stringify(body),
    form,
    model: body["model"],
    stream: false,
    callerHeaders: {},
    tried: [],
  }) as unknown as RelayCall;

const prepared = (call: RelayCall, given: Partial<RoutedChannel> = {}) =>
  prepareRequest(call, { channel: channel(given), key: "cf-token" }, context);

const BODY = `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nhear\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFFsound\r\n--b--\r\n`;
const form = parseForm(Buffer.from(BODY), "multipart/form-data; boundary=b");
const heard = callOf(openAiTranscriptions, fieldsOf(form), form);

describe("a form towards an upstream that takes none", () => {
  it("is what the provider makes of its fields, under the mapped model's address", () => {
    const { request } = prepared(heard, { modelMapping: { hear: "@cf/openai/whisper" } });
    expect(request.url).toBe(`${RUN}/@cf/openai/whisper`);
    expect(request.headers).toEqual({ "content-type": "application/octet-stream", authorization: "Bearer cf-token" });
    expect(String(request.body)).toBe("RIFFsound");
  });

  it("holds what the operator overrides", () => {
    const { request } = prepared(heard, { modelMapping: { hear: TURBO }, paramOverride: { language: "no" } });
    expect(JSON.parse(String(request.body))).toMatchObject({ language: "no", task: "transcribe" });
  });

  it("goes through as it came to all others", () => {
    const { request, finish } = prepared(heard, { type: 1 });
    expect(request.body).toBe(form.bytes);
    expect(finish).toBeUndefined();
  });
});

describe("speech", () => {
  const spoken = { ...callOf(openAiSpeech, { model: "say", input: "Hi", voice: "v" }), stream: true };

  it("is a stream, in the form that the caller asked for where upstream has another", () => {
    const { request, written, provider } = prepared(spoken, { type: 35, other: "" });
    expect(written?.contentType).toBe("audio/mpeg");
    expect([request.firstByteMs, request.idleMs]).toEqual([1, 2]);
    expect(isStreamed(spoken, provider)).toBe(true);
    expect(prepared(spoken, { type: 1 })).not.toHaveProperty("written");
  });

  it("is waited for as a whole answer is, where its last step makes the bytes", () => {
    const { request, finish, provider } = prepared(spoken, { type: 17 });
    expect([request.firstByteMs, request.idleMs]).toEqual([3, 3]);
    expect(finish).toBeTypeOf("function");
    expect(isStreamed(spoken, provider)).toBe(false);
  });
});

describe("a provider's last step", () => {
  const drawn = callOf(openAiImages, { model: "paint", prompt: "a cat", size: "512x512" });
  const mapped = { modelMapping: { paint: "@cf/painter" } };

  it("knows the call; no other call has one", async () => {
    const { request, finish } = prepared(drawn, mapped);
    expect(request.url).toBe(`${RUN}/@cf/painter`);
    expect(JSON.parse(String(request.body))).toEqual({ prompt: "a cat", width: 512, height: 512 });
    const answer = { headers: { "content-type": "image/png" }, body: Buffer.from("x") };
    const done = await finish?.(answer, {} as never);
    expect(JSON.parse(done?.body.toString() ?? "")).toMatchObject({ data: [{ b64_json: "eA==" }] });
    expect(prepared(drawn, { type: 1 })).not.toHaveProperty("finish");
  });

  it("stays where the channel has settings", () => {
    const { request, finish } = prepared(drawn, { ...mapped, hasSetting: true, proxy: "http://proxy.test:1" });
    expect(request.proxy).toBe("http://proxy.test:1");
    expect(finish).toBeTypeOf("function");
  });
});

describe("a chat call of a model that the Responses API alone knows", () => {
  const body = { model: "deep", stream: true, messages: [{ role: "user", content: "Hi" }] };
  const call = { ...callOf(openAiChat, body), stream: true, request: () => openAiChat.parseRequest(body) } as RelayCall;
  const OPENAI = { type: 1, other: "" };

  it("is told by the mapped name, and may be overridden", () => {
    const given = { ...OPENAI, modelMapping: { deep: "o3-pro" }, paramOverride: { store: true } };
    const { request, passThrough } = prepared(call, given);
    expect(request.url).toBe("https://api.openai.com/v1/responses");
    expect(JSON.parse(String(request.body))).toMatchObject({ model: "o3-pro", stream: true, store: true });
    expect(passThrough).toBe(false);
    expect(prepared(call, OPENAI).request.url).toBe("https://api.openai.com/v1/chat/completions");
  });

  it("may last as long as a whole answer where its model refuses streams", () => {
    const waits = (model: string) => prepared(call, { ...OPENAI, modelMapping: { deep: model } }).request;
    expect(waits("o3-pro")).toMatchObject({ firstByteMs: 1, idleMs: 2 });
    expect(waits("o1-pro")).toMatchObject({ firstByteMs: 3, idleMs: 3 });
  });
});

describe("several answers to one call", () => {
  const asked = callOf(openAiChat, { model: "m", n: 2, messages: [{ role: "user", content: "hi" }] });
  const openAi = { type: 1 };

  it("go through as they come", () => {
    expect(prepared(asked, openAi).passThrough).toBe(true);
  });

  it.each([
    ["written anew", asked, { hasSetting: true, forceFormat: true }],
    ["made a stream here", { ...asked, stream: true }, { neverStreams: true }],
    ["searched for words", { ...asked, content: { filtersOutput: true } as NonNullable<RelayCall["content"]> }, {}],
  ])("are refused where they are %s", (_, call, given) => {
    expect(() => prepared(call, { ...openAi, ...given })).toThrow("n above 1");
  });
});
