import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readResponse, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { PostProcessing, Provider } from "../contract/provider.ts";

function getAliEdits(): Provider {
  const found = findProvider(17)?.endpoints?.["openai-image-edits"];
  if (!found) throw new Error("Ali has no image edits");
  return found;
}

const edits = getAliEdits();
const target = (model: string) => targetFor({ channelType: 17, key: "sk-ali", model });
const PNG = Buffer.from("\u0089PNG\r\n", "latin1");
const PNG_DATA = `data:image/png;base64,${PNG.toString("base64")}`;
const JPEG = Buffer.from("\u00ff\u00d8\u00ff\u00e0", "latin1");
const file = (content: Buffer) => ({ filename: "a", content });

function written(fields: Json, model: string): Json {
  const body = edits.requests?.writeBody?.({ model: "alias", prompt: "a hat", ...fields }, target(model))?.body;
  return JSON.parse(String(body)) as Json;
}

describe("Ali image edit", () => {
  it("is a message with the images before the text, for models that respond at once", () => {
    const fields = { "image[]": [file(PNG), file(JPEG)], n: "2", size: "1024x768", watermark: "false", seed: "7" };
    expect(written({ ...fields, negative_prompt: "dogs", quality: "high" }, "qwen-image-edit-plus")).toEqual({
      model: "qwen-image-edit-plus",
      input: {
        messages: [
          {
            role: "user",
            content: [
              { image: PNG_DATA },
              { image: `data:image/jpeg;base64,${JPEG.toString("base64")}` },
              { text: "a hat" },
            ],
          },
        ],
      },
      parameters: { seed: 7, watermark: false, negative_prompt: "dogs", size: "1024*768", n: 2 },
    });
    expect(edits.address(target("qwen-image-edit-plus"), false).url).toBe(
      "https://dashscope.aliyuncs.com/api/v1/services/aigc/multimodal-generation/generation",
    );
  });

  it.each<[string, Json]>([
    ["a file", { image: file(PNG) }],
    ["an address", { image: "https://pictures.example/a.png" }],
    ["data", { image: PNG_DATA }],
    ["OpenAI's JSON", { images: [{ image_url: "https://pictures.example/a.png" }] }],
  ])("accepts %s", (_, fields) => {
    const { input, parameters } = written({ ...fields, size: "512x512" }, "qwen-image-edit");
    const [{ content }] = (input as { messages: [{ content: Json[] }] }).messages;
    expect([PNG_DATA, "https://pictures.example/a.png"]).toContain(content[0]?.["image"]);
    // The first editor does not support a size.
    expect(parameters).toEqual({});
  });

  it("is a task with a list of images for older models, polled like an image task", async () => {
    expect(edits.address(target("wan2.5-i2i-preview"), false)).toMatchObject({
      url: "https://dashscope.aliyuncs.com/api/v1/services/aigc/image2image/image-synthesis",
      headers: { "x-dashscope-async": "enable" },
    });
    const fields = { image: [file(PNG), file(PNG)], size: "1280x1280", negative_prompt: "dogs" };
    expect(written(fields, "wan2.5-i2i-preview")).toEqual({
      model: "wan2.5-i2i-preview",
      input: { prompt: "a hat", images: [PNG_DATA, PNG_DATA], negative_prompt: "dogs" },
      parameters: { size: "1280*1280", n: 1 },
    });
    const responses = [{ status: 200, body: readResponse("ali", "succeeded") }];
    const postProcessing = {
      request: () => Promise.resolve(responses.pop()),
      wait: () => Promise.resolve(),
    } as unknown as PostProcessing;
    const begun = { headers: {}, body: Buffer.from(JSON.stringify(readResponse("ali", "task"))) };
    const done = await edits.finish?.(begun, { body: {}, target: target("wan2.5-i2i-preview") }, postProcessing);
    expect(JSON.parse(done?.body.toString() ?? "")).toMatchObject({
      data: [{ url: "https://bucket.example/1.png?Expires=1" }],
    });
  });

  it("passes a mask to models that support it, and is refused with one for others", () => {
    const fields = { image: file(PNG), mask: file(PNG) };
    expect(written(fields, "wanx2.1-imageedit")).toMatchObject({
      input: {
        function: "description_edit_with_mask",
        prompt: "a hat",
        base_image_url: PNG_DATA,
        mask_image_url: PNG_DATA,
      },
    });
    expect(written({ image: file(PNG) }, "wanx2.1-imageedit")).toMatchObject({
      input: { function: "description_edit" },
    });
    for (const model of ["qwen-image-edit-plus", "wan2.5-i2i-preview"]) {
      expect(() => written(fields, model)).toThrow("a mask is not supported");
    }
  });

  it.each<[string, Json, string]>([
    ["no image", {}, "image must be"],
    ["a text that is none", { image: "a cat" }, "image must be"],
    ["bytes that are none", { image: file(Buffer.from("%PDF-1.7")) }, "image must be"],
    ["seventeen images", { image: Array.from({ length: 17 }, () => file(PNG)) }, "more than 16"],
  ])("is refused with %s", (_, fields, message) => {
    expect(() => written(fields, "qwen-image-edit-plus")).toThrow(RelayError);
    expect(() => written(fields, "qwen-image-edit-plus")).toThrow(message);
  });

  it("sends a single image to the first editor", () => {
    expect(() => written({ image: file(PNG), n: "2" }, "qwen-image-edit")).toThrow("n above 1");
  });
});
