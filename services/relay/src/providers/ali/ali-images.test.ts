import { describe, expect, it } from "vitest";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readResponse, targetFor } from "../shared/fixtures.ts";
import { findProvider } from "../registry/providers.ts";
import type { PostProcessing, Endpoint, Provider } from "../contract/provider.ts";

type Requested = Awaited<ReturnType<PostProcessing["request"]>>;

function getAliImages(): Provider {
  const found = findProvider(17)?.endpoints?.["openai-images"];
  if (!found) throw new Error("Ali has no images");
  return found;
}

const images = getAliImages();
const target = targetFor({ channelType: 17, key: "sk-ali", model: "wan2.2-t2i-flash", other: "plugin" });
const TASK = "https://dashscope.aliyuncs.com/api/v1/tasks/0385dc79-5ff8-4d82-bcb6-aaaaaaaaaaaa";
const found = (name: string): Requested => ({ status: 200, body: readResponse("ali", name) });

/** Returns the poll responses in order, the last one repeatedly; records requests and waits. */
function scripted(...polls: readonly Requested[]) {
  const requested: Endpoint[] = [];
  const waits: number[] = [];
  const postProcessing: PostProcessing = {
    request: (place) => {
      requested.push(place);
      return Promise.resolve(polls[Math.min(requested.length, polls.length) - 1]);
    },
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    fetchImage: (url) => Promise.resolve(`data of ${url}`),
    fetchFile: (url) => Promise.resolve(Buffer.from(url)),
  };
  return { requested, waits, postProcessing };
}

async function finish(postProcessing: PostProcessing, body: Json = {}, first = "task"): Promise<Json> {
  const response = { headers: {}, body: Buffer.from(JSON.stringify(readResponse("ali", first))) };
  const done = await images.finish?.(response, { body, target }, postProcessing);
  return JSON.parse(done?.body.toString() ?? "") as Json;
}

describe("Ali image task", () => {
  it("starts with one asynchronous submission", () => {
    expect(images.address(target, false)).toEqual({
      url: "https://dashscope.aliyuncs.com/api/v1/services/aigc/text2image/image-synthesis",
      headers: { "content-type": "application/json", authorization: "Bearer sk-ali", "x-dashscope-async": "enable" },
    });
    const compatible = { ...target, baseUrl: "https://host/compatible-mode/v1" };
    expect(images.address(compatible, false).url).toBe("https://host/api/v1/services/aigc/text2image/image-synthesis");
  });

  it("sends prompt, size and number in DashScope's format, and no option with a price of its own", () => {
    const request = { model: "alias", prompt: "a lighthouse", size: "1280x720", n: 2, quality: "hd", style: "vivid" };
    const more = { negative_prompt: "people", seed: 7, parameters: { n: 4 }, user: "u", response_format: "url" };
    expect(images.adaptBody?.({ ...request, ...more }, target)).toEqual({
      model: "wan2.2-t2i-flash",
      input: { prompt: "a lighthouse", negative_prompt: "people" },
      parameters: { size: "1280*720", n: 2, seed: 7 },
    });
    expect(images.adaptBody?.({ prompt: "a", style: "<sketch>", size: "auto" }, target)).toEqual({
      model: "wan2.2-t2i-flash",
      input: { prompt: "a" },
      parameters: { n: 1, style: "<sketch>" },
    });
  });

  it("is polled every three seconds until it is finished, even if a poll gets no response", async () => {
    const busy: Requested = { status: 503, body: "busy" };
    const script = scripted(found("running"), undefined, busy, { status: 429, body: {} }, found("succeeded"));
    expect(await finish(script.postProcessing)).toEqual({
      created: expect.any(Number) as number,
      data: [{ url: "https://bucket.example/1.png?Expires=1", revised_prompt: "a white lighthouse on a cliff" }],
    });
    expect(script.waits).toEqual([3000, 3000, 3000, 3000, 3000]);
    expect(script.requested.at(0)).toEqual({ url: TASK, headers: { authorization: "Bearer sk-ali" } });
  });

  it("is returned as data if requested", async () => {
    const { postProcessing } = scripted(found("succeeded"));
    expect(await finish(postProcessing, { response_format: "b64_json" })).toMatchObject({
      data: [{ b64_json: "data of https://bucket.example/1.png?Expires=1" }],
    });
  });

  it("is given up after twenty polls as a timeout without failover", async () => {
    const script = scripted(found("running"));
    await expect(finish(script.postProcessing)).rejects.toMatchObject({ status: 504 });
    expect(script.requested).toHaveLength(20);
  });

  it.each<[string, Requested, object]>([
    ["failed", found("failed"), { status: 400, upstream: { code: "DataInspectionFailed" } }],
    ["is not known any more", found("unknown"), { status: 502 }],
    ["may not be seen", { status: 401, body: readResponse("ali", "error") }, { status: 401 }],
    ["reports nothing", { status: 200, body: {} }, { status: 502 }],
    [
      "was over the limit",
      { status: 200, body: { output: { task_status: "FAILED", code: "Throttling.RateQuota", message: "slow" } } },
      { status: 429, message: "slow" },
    ],
    [
      "drew nothing",
      {
        status: 200,
        body: { output: { task_status: "SUCCEEDED", results: [{ code: "InternalError", message: "no" }] } },
      },
      { status: 502, message: "no" },
    ],
  ])("fails as an upstream error if it %s", async (_, poll, failure) => {
    await expect(finish(scripted(poll).postProcessing)).rejects.toMatchObject(failure);
  });

  it("fails without polling if it was not accepted", async () => {
    const script = scripted(found("succeeded"));
    await expect(finish(script.postProcessing, {}, "error")).rejects.toMatchObject({ status: 401 });
    expect(script.requested).toEqual([]);
    expect(images.parseError(401, readResponse("ali", "error"))).toMatchObject({
      message: "No API-key provided.",
      code: "InvalidApiKey",
    });
  });

  it("ends at once when the client disconnects", async () => {
    const left = new RelayError("stream_interrupted", "the client disconnected");
    const script = scripted(found("succeeded"));
    const wait = () => Promise.reject(left);
    await expect(finish({ ...script.postProcessing, wait })).rejects.toBe(left);
    expect(script.requested).toEqual([]);
  });
});

describe("synchronous Ali image", () => {
  const newer = { ...target, model: "qwen-image-plus" };
  const response = { headers: {}, body: Buffer.from(JSON.stringify(readResponse("ali", "at-once"))) };
  const noFollowUp = scripted(undefined);

  it("is requested like chat, and not as a task", () => {
    expect(images.address(newer, false)).toEqual({
      url: "https://dashscope.aliyuncs.com/api/v1/services/aigc/multimodal-generation/generation",
      headers: { "content-type": "application/json", authorization: "Bearer sk-ali" },
    });
    const request = {
      prompt: "a cat",
      size: "1328x1328",
      n: 1,
      watermark: false,
      negative_prompt: "dogs",
      quality: "hd",
    };
    expect(images.adaptBody?.(request, newer)).toEqual({
      model: "qwen-image-plus",
      input: { messages: [{ role: "user", content: [{ text: "a cat" }] }] },
      parameters: { size: "1328*1328", watermark: false, negative_prompt: "dogs" },
    });
  });

  it.each(["qwen-image", "qwen-image-max-2025-12-30", "z-image-turbo"])("is a single image for %s", (model) => {
    expect(() => images.adaptBody?.({ prompt: "a", n: 2 }, { ...target, model })).toThrow("n above 1");
  });

  it.each(["qwen-image-2.0-pro", "wan2.6-t2i"])("is several images for %s", (model) => {
    expect(images.adaptBody?.({ prompt: "a", n: 2 }, { ...target, model })).toMatchObject({ parameters: { n: 2 } });
  });

  it("has its URL and the revised prompt, or data if requested", async () => {
    const list = await images.finish?.(response, { body: {}, target: newer }, noFollowUp.postProcessing);
    expect(JSON.parse(list?.body.toString() ?? "")).toMatchObject({
      data: [{ url: "https://bucket.example/1.png?Expires=1", revised_prompt: "a white cat" }],
    });
    const body = { response_format: "b64_json" };
    const data = await images.finish?.(response, { body, target: newer }, noFollowUp.postProcessing);
    expect(data?.body.toString()).toContain('"b64_json":"data of https://bucket.example/1.png?Expires=1"');
    expect(noFollowUp.requested).toEqual([]);
  });

  it("fails as an upstream error if the response has no image", async () => {
    const empty = { headers: {}, body: Buffer.from('{"output":{"choices":[]}}') };
    const finished = async () => images.finish?.(empty, { body: {}, target: newer }, noFollowUp.postProcessing);
    await expect(finished()).rejects.toMatchObject({ status: 502, message: "no image was generated" });
  });
});
