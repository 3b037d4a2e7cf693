import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, compact, parseJson, pick } from "../../core/chat/json.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { type GeneratedImage, toImageList, refuseManyImages, parseSize } from "../shared/endpoints/image-list.ts";
import { getFailure, readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseImages } from "../formats/openai/response/openai-image-response.ts";
import type { PostProcessing, Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { authHeaders, getBase, toAliFailure } from "./ali-service.ts";

const POLL_EVERY_MS = 3_000;
const POLLS_MAX = 20;
/** DashScope's parameters besides prompt, size and number, by their DashScope names. */
const IN_INPUT = ["negative_prompt"] as const;
export const IN_PARAMETERS = ["seed", "prompt_extend", "watermark"] as const;
/** Models that are called like chat and respond at once; older ones are tasks. */
export const IMMEDIATE_MODELS = /^(qwen-image|z-image|wan2\.[6-9]|wan[3-9])/;
const DRAWS_ONE = /^(z-image|qwen-image(-plus|-max|-edit)?(-\d{4}-\d\d-\d\d)?$)/;
/** DashScope's styles have this form; OpenAI's style values are ignored. */
const STYLE = /^<.+>$/;

const GOES_ON: ReadonlySet<string> = new Set(["PENDING", "RUNNING", "SUSPENDED"]);

/** Width and height in DashScope's notation. */
export const starSize = (body: Json): string | undefined => {
  const size = parseSize(body);
  return size && `${size.width}*${size.height}`;
};

/** As a message, after the images to edit; `n` only if above one, since some models do not support the field. */
export function messageBody(body: Json, model: string, images: readonly string[] = []): Json {
  if (DRAWS_ONE.test(model)) refuseManyImages(body);
  const count = Number(body["n"] ?? 0);
  return {
    model,
    input: {
      messages: [{ role: "user", content: [...images.map((image) => ({ image })), { text: body["prompt"] }] }],
    },
    parameters: compact({
      ...pick(body, [...IN_INPUT, ...IN_PARAMETERS]),
      size: starSize(body),
      n: count > 1 ? count : undefined,
    }),
  };
}

function buildImageBody(body: Json, { model }: Target): Json {
  if (IMMEDIATE_MODELS.test(model)) return messageBody(body, model);
  const style = asText(body["style"]) ?? "";
  return {
    model,
    input: { prompt: body["prompt"], ...pick(body, IN_INPUT) },
    parameters: compact({
      ...pick(body, IN_PARAMETERS),
      size: starSize(body),
      n: Number(body["n"] ?? 0) || 1,
      style: STYLE.test(style) ? style : undefined,
    }),
  };
}

/** The task in a response. Throws StreamFailure if there is none. */
function getTask(value: unknown): Json {
  const body = asObject(value);
  const output = asObject(body?.["output"]);
  if (output && asText(output["task_status"])) return output;
  if (body && asText(body["code"])) throw toAliFailure(body, "upstream returned an error");
  throw unreadableResponse();
}

/** The current state of the task; undefined if the poll failed and the next one may succeed. */
async function poll(address: string, target: Target, { request }: PostProcessing): Promise<Json | undefined> {
  const response = await request({ url: address, headers: authHeaders(target) });
  if (!response || response.status === 429 || response.status >= 500) return undefined;
  if (response.status >= 200 && response.status <= 299) return getTask(response.body);
  throw new StreamFailure(readFailure(response.body) ?? statusFailure(response.status), response.status);
}

/** Waits until the task is finished. Throws StreamFailure on timeout. */
async function ended(first: Json, address: string, target: Target, postProcessing: PostProcessing): Promise<Json> {
  let task = first;
  for (let polls = 0; GOES_ON.has(asText(task["task_status"]) ?? ""); polls++) {
    if (polls >= POLLS_MAX) throw new StreamFailure(getFailure("the image was not generated in time"), 504);
    await postProcessing.wait(POLL_EVERY_MS);
    task = (await poll(address, target, postProcessing)) ?? task;
  }
  return task;
}

function imageAt(address: unknown, prompt: string | undefined): GeneratedImage[] {
  const url = asText(address);
  return url ? [{ url, prompt }] : [];
}

/** The images of a finished task. Throws StreamFailure if it failed or produced none. */
function drawnBy(task: Json): GeneratedImage[] {
  if (task["task_status"] !== "SUCCEEDED") throw toAliFailure(task, "the image was not generated");
  const results = asObjects(task["results"]);
  const images = results.flatMap((one) => imageAt(one["url"], asText(one["actual_prompt"])));
  if (images.length === 0) throw toAliFailure(results[0] ?? task, "no image was generated");
  return images;
}

/** The images of a synchronous response; undefined if it is not one. Throws StreamFailure if it has no images. */
function drawnAtOnce(response: unknown): GeneratedImage[] | undefined {
  const choices = asObject(asObject(response)?.["output"])?.["choices"];
  if (!Array.isArray(choices)) return undefined;
  const images = asObjects(choices).flatMap((choice) => {
    const content = asObjects(asObject(choice["message"])?.["content"]);
    const prompt = content.map((part) => asText(part["text"])).find((text) => text);
    return content.flatMap((part) => imageAt(part["image"], prompt));
  });
  if (images.length === 0) throw toAliFailure(asObject(response) ?? {}, "no image was generated");
  return images;
}

/** The service path of a model; `task` is the service for models that are polled. */
export function getImageEndpoint(like: OpenAiCompatible, target: Target, task: "text2image" | "image2image"): Endpoint {
  const services = `${getBase(like, target)}/api/v1/services/aigc`;
  const headers = { ...JSON_CONTENT, ...authHeaders(target) };
  if (IMMEDIATE_MODELS.test(target.model)) return { url: `${services}/multimodal-generation/generation`, headers };
  return { url: `${services}/${task}/image-synthesis`, headers: { ...headers, "x-dashscope-async": "enable" } };
}

/** The images of a response, or of the task that it started, as OpenAI's list. */
export const finishImages =
  (like: OpenAiCompatible): NonNullable<Provider["finish"]> =>
  async (response, { body, target }, postProcessing) => {
    const sent = parseJson(response.body.toString("utf8"));
    const atOnce = drawnAtOnce(sent);
    if (atOnce) return toImageList(atOnce, body, postProcessing);
    const first = getTask(sent);
    const address = `${getBase(like, target)}/api/v1/tasks/${encodeURIComponent(asText(first["task_id"]) ?? "")}`;
    const task = await ended(first, address, target, postProcessing);
    return toImageList(drawnBy(task), body, postProcessing);
  };

/**
 * OpenAI's image generations on DashScope. Newer models respond at once
 * (docs.qwencloud.com/api-reference/image-generation: qwen-text-to-image, wan-text-to-image-v2/synchronous); older ones
 * are tasks: one call submits them, further calls poll them.
 */
export const aliImages = (like: OpenAiCompatible): Provider =>
  endpointProvider("openai-images", {
    address: (target) => getImageEndpoint(like, target, "text2image"),
    adaptBody: buildImageBody,
    finish: finishImages(like),
    parseResponse: parseImages,
  });
