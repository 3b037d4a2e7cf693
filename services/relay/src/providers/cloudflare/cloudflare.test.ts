import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { getFields, parseForm } from "../../core/call/multipart.ts";
import { toAudioTokens } from "../../accounting/tokens/audio-seconds.ts";
import { readResponse, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { ProcessedResponse, PostProcessing, Provider } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

const PNG = Buffer.from("\u0089PNG\r\n\u001a\nrest", "latin1");
const FLUX = "@cf/black-forest-labs/flux-1-schnell";
const XL = "@cf/stabilityai/stable-diffusion-xl-base-1.0";
const WHISPER = "@cf/openai/whisper";
const TURBO = "@cf/openai/whisper-large-v3-turbo";

const noFollowUp = {} as PostProcessing;
const target = (model: string) => targetFor({ channelType: 39, key: "cf-token", other: "acc1", model });
const getBytes = (name: string): Buffer => Buffer.from(JSON.stringify(readResponse("cloudflare", name)));

function endpoint(name: EndpointFormat): Provider {
  const found = findProvider(39)?.endpoints?.[name];
  if (!found) throw new Error(`Cloudflare has no ${name}`);
  return found;
}

function finish(provider: Provider, response: { body: Buffer; type?: string }, body: Json = {}): ProcessedResponse {
  const headers = { "content-type": response.type ?? "application/json" };
  const done = provider.finish?.({ headers, body: response.body }, { body, target: target(FLUX) }, noFollowUp);
  if (!done || done instanceof Promise) throw new Error("no post-processing expected");
  return done;
}

describe("Workers AI image", () => {
  const images = endpoint("openai-images");

  it("is run under the model's own name, at the account or through the AI gateway", () => {
    expect(images.address(target(FLUX), false)).toEqual({
      url: `https://api.cloudflare.com/client/v4/accounts/acc1/ai/run/${FLUX}`,
      headers: { "content-type": "application/json", authorization: "Bearer cf-token" },
    });
    const gateway = "https://gateway.ai.cloudflare.com/v1/acc1/gate/workers-ai";
    expect(images.address({ ...target(XL), baseUrl: gateway }, false).url).toBe(`${gateway}/${XL}`);
  });

  it("is requested with the fields that the model supports", () => {
    const request = {
      model: "x",
      prompt: "a cat",
      n: 1,
      size: "1024x768",
      quality: "hd",
      user: "u",
      negative_prompt: "dog",
    };
    expect(images.adaptBody?.(request, target(XL))).toEqual({
      prompt: "a cat",
      negative_prompt: "dog",
      width: 1024,
      height: 768,
    });
    expect(images.adaptBody?.({ ...request, steps: 4 }, target(FLUX))).toEqual({
      prompt: "a cat",
      negative_prompt: "dog",
      steps: 4,
    });
    expect(() => images.adaptBody?.({ prompt: "a cat", n: 2 }, target(XL))).toThrow("n above 1");
  });

  it("is requested by a form with the charged size if the model accepts nothing else", () => {
    const flux2 = target("@cf/black-forest-labs/flux-2-dev");
    const written = images.requests?.writeBody?.({ model: "x", prompt: 'a "cat"\r\n--', steps: 25, user: "u" }, flux2);
    const boundary = written?.headers["content-type"]?.replace("multipart/form-data; boundary=", "") ?? "";
    const field = (name: string, value: string) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    expect(written?.body.toString()).toBe(
      `${field("width", "1024")}${field("height", "1024")}${field("prompt", 'a "cat"\r\n--')}${field("steps", "25")}--${boundary}--\r\n`,
    );
    expect(images.requests?.writeBody?.({ prompt: "a cat" }, target(XL))).toBeUndefined();
  });

  it.each([
    ["bytes", { body: PNG, type: "image/png" }, PNG.toString("base64")],
    ["bytes without a type", { body: PNG, type: "application/octet-stream" }, PNG.toString("base64")],
    ["base64 in JSON", { body: getBytes("image") }, "/9j/4AAQSkZJRg=="],
  ])("is converted from %s to OpenAI's list", (_, response, data) => {
    const { body, contentType } = finish(images, response);
    expect(contentType).toBe("application/json");
    const list: unknown = JSON.parse(body.toString());
    expect(list).toEqual({ created: expect.any(Number) as number, data: [{ b64_json: data }] });
    expect(images.parseResponse(list).usage).toMatchObject({ images: 1 });
  });

  it.each([
    ["a failure under 200", getBytes("error"), "prompt is required"],
    ["JSON without an image", Buffer.from('{"result":{},"success":true}'), "unreadable"],
    ["a page", Buffer.from("<html>"), "unreadable"],
  ])("fails as an upstream error if it is %s", (_, body, message) => {
    expect(() => finish(images, { body })).toThrow(StreamFailure);
    expect(() => finish(images, { body })).toThrow(message);
  });

  it("returns Cloudflare's error text if refused", () => {
    expect(images.parseError(400, readResponse("cloudflare", "error"))).toMatchObject({ code: "5006" });
  });
});

describe("Workers AI image edit", () => {
  const edits = endpoint("openai-image-edits");
  const FLUX_2 = "@cf/black-forest-labs/flux-2-dev";
  const file = { filename: "cat.png", content: PNG };
  const fields = { model: "x", prompt: "a hat", steps: "25", user: "u" };

  it("sends the images as files of a form if the model accepts several", () => {
    const { headers, body } = edits.requests?.writeBody?.({ ...fields, "image[]": [file, file] }, target(FLUX_2)) ?? {};
    const form = parseForm(body as Buffer, headers?.["content-type"] ?? "");
    expect(getFields(form)).toEqual({
      prompt: "a hat",
      steps: "25",
      width: "1024",
      height: "1024",
      input_image_0: { filename: "0.png", content: PNG },
      input_image_1: { filename: "1.png", content: PNG },
    });
  });

  it("sends one image as base64 if the model takes one", () => {
    const { body } = edits.requests?.writeBody?.({ ...fields, image: file, size: "512x512" }, target(XL)) ?? {};
    expect(JSON.parse(String(body))).toEqual({
      prompt: "a hat",
      steps: 25,
      width: 512,
      height: 512,
      image_b64: PNG.toString("base64"),
    });
  });

  it.each<[string, string, Json, string]>([
    ["a URL", FLUX_2, { image: "https://pictures.example/a.png" }, "by URL"],
    ["five images", FLUX_2, { image: [file, file, file, file, file] }, "more than 4"],
    ["a mask", FLUX_2, { image: file, mask: file }, "a mask is not supported"],
    ["a text-to-image model", FLUX, { image: file }, "does not edit images"],
  ])("is refused with %s", (_, model, sent, message) => {
    expect(() => edits.requests?.writeBody?.({ ...fields, ...sent }, target(model))).toThrow(message);
  });
});

describe("Workers AI transcription", () => {
  const recording = Buffer.from("RIFFsound");
  const fields = { model: "m", file: { filename: "a.wav", content: recording }, language: "en", prompt: "names" };
  const speech = endpoint("openai-transcriptions");
  const written = (model: string, name: EndpointFormat = "openai-transcriptions") =>
    endpoint(name).requests?.writeBody?.(fields, target(model));

  it("is requested with the recording's bytes, or in base64 if the model takes JSON", () => {
    expect(speech.address(target(WHISPER), false).url).toBe(
      "https://api.cloudflare.com/client/v4/accounts/acc1/ai/run/@cf/openai/whisper",
    );
    expect(written(WHISPER)).toEqual({ headers: { "content-type": "application/octet-stream" }, body: recording });
    const turbo = written(TURBO);
    expect(turbo?.headers).toEqual({ "content-type": "application/json" });
    expect(JSON.parse(String(turbo?.body))).toEqual({
      audio: recording.toString("base64"),
      task: "transcribe",
      language: "en",
      initial_prompt: "names",
    });
  });

  it("is translated by the model that supports it, and refused for others", () => {
    expect(JSON.parse(String(written(TURBO, "openai-translations")?.body))).toMatchObject({ task: "translate" });
    expect(() => written(WHISPER, "openai-translations")).toThrow("does not support translations");
  });

  const response = (name: string, response_format?: string): ProcessedResponse =>
    finish(speech, { body: getBytes(name) }, { ...fields, response_format });

  it("returns OpenAI's JSON, charged by the reported duration", () => {
    const turbo: unknown = JSON.parse(response("whisper-turbo").body.toString());
    expect(turbo).toEqual({ text: "Good morning. See you.", usage: { type: "duration", seconds: 61.5 } });
    expect(speech.parseResponse(turbo).usage?.promptTokens).toBe(toAudioTokens(61.5));
    const plain: unknown = JSON.parse(response("whisper", "json").body.toString());
    expect(plain).toEqual({ text: "The quick brown fox jumps over the lazy dog and runs away." });
    expect(speech.parseResponse(plain).usage).toBeUndefined();
  });

  it("returns segments and words if verbose output is requested", () => {
    expect(JSON.parse(response("whisper-turbo", "verbose_json").body.toString())).toMatchObject({
      task: "transcribe",
      language: "en",
      duration: 61.5,
      text: "Good morning. See you.",
      segments: [
        { id: 0, start: 0, end: 1.5, text: " Good morning.", avg_logprob: -0.21, tokens: [] },
        { id: 1, start: 60, end: 61.25 },
      ],
      words: [{ word: " Good", start: 0, end: 0.7 }, {}, {}, { word: " you.", end: 61.25 }],
    });
  });

  it.each([
    ["whisper", "text", "text/plain", "The quick brown fox jumps over the lazy dog and runs away.\n"],
    [
      "whisper",
      "srt",
      "text/plain",
      "1\n00:00:00,000 --> 00:00:03,500\nThe quick brown fox jumps over the lazy dog and\n\n2\n00:00:03,500 --> 00:00:04,250\nruns away.\n\n",
    ],
    [
      "whisper-turbo",
      "vtt",
      "text/vtt",
      "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nGood morning.\n\n00:01:00.000 --> 00:01:01.250\nSee you.\n\n",
    ],
  ])("returns %s as %s if requested", (name, format, type, text) => {
    const { body, contentType } = response(name, format);
    expect(body.toString()).toBe(text);
    expect(contentType).toContain(type);
    expect(speech.parseResponse(body.toString()).usage).toBeUndefined();
  });

  it("fails as an upstream error if it failed with status 200 or contains no text", () => {
    expect(() => finish(speech, { body: getBytes("error") })).toThrow(StreamFailure);
    expect(() => finish(speech, { body: Buffer.from('{"result":{},"success":true}') })).toThrow(StreamFailure);
  });
});
