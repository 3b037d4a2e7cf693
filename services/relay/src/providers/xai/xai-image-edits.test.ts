import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { readResponse, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { PostProcessing, Provider } from "../contract/provider.ts";

function getXaiEdits(): Provider {
  const found = findProvider(48)?.endpoints?.["openai-image-edits"];
  if (!found) throw new Error("xAI has no image edits");
  return found;
}

const edits = getXaiEdits();
const target = targetFor({ channelType: 48, key: "xai-key", model: "grok-imagine-image" });
const PNG = Buffer.from("\u0089PNG\r\n", "latin1");
const PNG_DATA = `data:image/png;base64,${PNG.toString("base64")}`;
const JPEG = Buffer.from("\u00ff\u00d8\u00ff\u00e0", "latin1");
const JPEG_DATA = `data:image/jpeg;base64,${JPEG.toString("base64")}`;
const ADDRESS = "https://pictures.example/a.png";
const file = (content: Buffer) => ({ filename: "a", content });
const source = (url: string) => ({ type: "image_url", url });

function written(fields: Json): Json {
  const sent = edits.requests?.writeBody?.({ model: "alias", prompt: "a hat", ...fields }, target);
  expect(sent?.headers["content-type"]).toBe("application/json");
  return JSON.parse(String(sent?.body)) as Json;
}

const toResponse = (body: unknown) => ({ headers: {}, body: Buffer.from(JSON.stringify(body)) });
const finish = (body: unknown) => edits.finish?.(toResponse(body), { body: {}, target }, {} as PostProcessing);

describe("xAI image edit", () => {
  it("is JSON with the form's image as data", () => {
    const fields = { image: file(PNG), n: "2", response_format: "b64_json", aspect_ratio: "16:9", user: "42" };
    expect(written({ ...fields, size: "1024x1024", quality: "high", style: "vivid", background: "auto" })).toEqual({
      model: "grok-imagine-image",
      prompt: "a hat",
      n: 2,
      response_format: "b64_json",
      aspect_ratio: "16:9",
      user: "42",
      image: source(PNG_DATA),
    });
    expect(edits.address(target, false)).toEqual({
      url: "https://api.x.ai/v1/images/edits",
      headers: { "content-type": "application/json", authorization: "Bearer xai-key" },
    });
  });

  it("lists several images in order", () => {
    const { image, images } = written({ "image[]": [file(PNG), file(JPEG)] });
    expect(image).toBeUndefined();
    expect(images).toEqual([source(PNG_DATA), source(JPEG_DATA)]);
  });

  it.each<[string, Json, string]>([
    ["xAI's own form", { image: { url: ADDRESS, type: "image_url" } }, ADDRESS],
    ["data in it", { image: { url: PNG_DATA, type: "image_url" } }, PNG_DATA],
    ["an address", { image: ADDRESS }, ADDRESS],
    ["OpenAI's JSON", { images: [{ image_url: ADDRESS }] }, ADDRESS],
    ["a list of one", { images: [{ url: ADDRESS }] }, ADDRESS],
  ])("accepts %s", (_, fields, url) => {
    expect(written(fields)["image"]).toEqual(source(url));
  });

  it("passes a mask through", () => {
    expect(written({ image: file(PNG), mask: file(PNG) })["mask"]).toEqual(source(PNG_DATA));
  });

  it("is refused without an image, and with an invalid one", () => {
    for (const fields of [{}, { image: "a cat" }, { image: file(Buffer.from("%PDF-1.7")) }]) {
      expect(() => written(fields)).toThrow("image must be");
    }
  });

  it("is returned as OpenAI's list with a creation time, and counts its images", async () => {
    const done = await finish(readResponse("xai", "edited"));
    const list = JSON.parse(done?.body.toString() ?? "") as Json;
    expect(list).toMatchObject({
      created: expect.any(Number) as number,
      data: [{ url: "https://imgen.x.ai/xai-imgen/xai-tmp-imgen-11b443c1.jpeg" }],
    });
    expect(edits.parseResponse(list).usage).toMatchObject({ promptTokens: 1, images: 1 });
  });

  it("states the reason of a failure, also with status 200", () => {
    const refused = readResponse("xai", "error");
    expect(edits.parseError(400, refused)).toMatchObject({ message: "At most 3 images can be edited at once." });
    expect(() => finish(refused)).toThrow("At most 3 images");
    expect(() => finish({ images: [] })).toThrow("unreadable");
  });
});
