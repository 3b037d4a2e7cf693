import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, compact, parseJson, pick } from "../../core/chat/json.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { type GeneratedImage, toImageList, refuseManyImages, parseSize } from "../shared/endpoints/image-list.ts";
import { failureOf, readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseImages } from "../formats/openai/openai-image-response.ts";
import type { PostProcessing, Endpoint, Provider, Target } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { authHeaders, baseOf, toAliFailure } from "./ali-service.ts";

const LOOK_EVERY_MS = 3_000;
const LOOKS_MAX = 20;
/** DashScope's parameters besides prompt, size and number, by their DashScope names. */
const IN_INPUT = ["negative_prompt"] as const;
export const IN_PARAMETERS = ["seed", "prompt_extend", "watermark"] as const;
/** Models that are called like chat and respond at once; older ones are tasks. */
export const ANSWERS_AT_ONCE = /^(qwen-image|z-image|wan2\.[6-9]|wan[3-9])/;
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
export function messageBody(body: Json, model: string, pictures: readonly string[] = []): Json {
  if (DRAWS_ONE.test(model)) refuseManyImages(body);
  const count = Number(body["n"] ?? 0);
  return {
    model,
    input: {
      messages: [{ role: "user", content: [...pictures.map((image) => ({ image })), { text: body["prompt"] }] }],
    },
    parameters: compact({
      ...pick(body, [...IN_INPUT, ...IN_PARAMETERS]),
      size: starSize(body),
      n: count > 1 ? count : undefined,
    }),
  };
}

function buildImageBody(body: Json, { model }: Target): Json {
  if (ANSWERS_AT_ONCE.test(model)) return messageBody(body, model);
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
function taskOf(value: unknown): Json {
  const body = asObject(value);
  const output = asObject(body?.["output"]);
  if (output && asText(output["task_status"])) return output;
  if (body && asText(body["code"])) throw toAliFailure(body, "upstream returned an error");
  throw unreadableResponse();
}

/** The current state of the task; undefined if the poll failed and the next one may succeed. */
async function look(address: string, target: Target, { ask }: PostProcessing): Promise<Json | undefined> {
  const answer = await ask({ url: address, headers: authHeaders(target) });
  if (!answer || answer.status === 429 || answer.status >= 500) return undefined;
  if (answer.status >= 200 && answer.status <= 299) return taskOf(answer.body);
  throw new StreamFailure(readFailure(answer.body) ?? statusFailure(answer.status), answer.status);
}

/** Waits until the task is finished. Throws StreamFailure on timeout. */
async function ended(first: Json, address: string, target: Target, postProcessing: PostProcessing): Promise<Json> {
  let task = first;
  for (let looks = 0; GOES_ON.has(asText(task["task_status"]) ?? ""); looks++) {
    if (looks >= LOOKS_MAX) throw new StreamFailure(failureOf("the image was not generated in time"), 504);
    await postProcessing.wait(LOOK_EVERY_MS);
    task = (await look(address, target, postProcessing)) ?? task;
  }
  return task;
}

function pictureAt(address: unknown, prompt: string | undefined): GeneratedImage[] {
  const url = asText(address);
  return url ? [{ url, prompt }] : [];
}

/** The images of a finished task. Throws StreamFailure if it failed or produced none. */
function drawnBy(task: Json): GeneratedImage[] {
  if (task["task_status"] !== "SUCCEEDED") throw toAliFailure(task, "the image was not generated");
  const results = asObjects(task["results"]);
  const drawn = results.flatMap((one) => pictureAt(one["url"], asText(one["actual_prompt"])));
  if (drawn.length === 0) throw toAliFailure(results[0] ?? task, "no image was generated");
  return drawn;
}

/** The images of a synchronous response; undefined if it is not one. Throws StreamFailure if it has no images. */
function drawnAtOnce(answer: unknown): GeneratedImage[] | undefined {
  const choices = asObject(asObject(answer)?.["output"])?.["choices"];
  if (!Array.isArray(choices)) return undefined;
  const drawn = asObjects(choices).flatMap((choice) => {
    const content = asObjects(asObject(choice["message"])?.["content"]);
    const prompt = content.map((part) => asText(part["text"])).find((text) => text);
    return content.flatMap((part) => pictureAt(part["image"], prompt));
  });
  if (drawn.length === 0) throw toAliFailure(asObject(answer) ?? {}, "no image was generated");
  return drawn;
}

/** The service path of a model; `task` is the service for models that are polled. */
export function getImageEndpoint(like: OpenAiCompatible, target: Target, task: "text2image" | "image2image"): Endpoint {
  const services = `${baseOf(like, target)}/api/v1/services/aigc`;
  const headers = { ...JSON_CONTENT, ...authHeaders(target) };
  if (ANSWERS_AT_ONCE.test(target.model)) return { url: `${services}/multimodal-generation/generation`, headers };
  return { url: `${services}/${task}/image-synthesis`, headers: { ...headers, "x-dashscope-async": "enable" } };
}

/** The images of a response, or of the task that it started, as OpenAI's list. */
export const finishImages =
  (like: OpenAiCompatible): NonNullable<Provider["finish"]> =>
  async (answer, { body, target }, postProcessing) => {
    const sent = parseJson(answer.body.toString("utf8"));
    const atOnce = drawnAtOnce(sent);
    if (atOnce) return toImageList(atOnce, body, postProcessing);
    const first = taskOf(sent);
    const address = `${baseOf(like, target)}/api/v1/tasks/${encodeURIComponent(asText(first["task_id"]) ?? "")}`;
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
