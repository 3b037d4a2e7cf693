import type { Json } from "../../chat/chat.ts";
import { asList, asObject, asText, compact, parseJson } from "../../chat/json.ts";
import { endpointProvider } from "../endpoints/endpoint-provider.ts";
import { imageList, sizeOf } from "../endpoints/image-list.ts";
import { failureOf, readFailure, statusFailure, unreadableResponse } from "../failure.ts";
import { JSON_CONTENT } from "../headers.ts";
import type { OpenAiLike } from "../openai-likes.ts";
import { parseImages } from "../openai/openai-image-answer.ts";
import { type FollowUp, type Provider, StreamFailure, type Target } from "../provider.ts";

const LOOK_EVERY_MS = 3_000;
const LOOKS_MAX = 20;
/** What DashScope knows beside prompt, size and number, by the name it has there. */
const IN_INPUT = ["negative_prompt"] as const;
const IN_PARAMETERS = ["seed", "prompt_extend", "watermark"] as const;
/** Styles are written so; OpenAI's words for it mean nothing. */
const STYLE = /^<.+>$/;

const STATUS_BY_CODE: readonly (readonly [RegExp, number])[] = [
  [/^Throttling|LimitExceeded|RateQuota/i, 429],
  [/^InvalidApiKey/i, 401],
  [/^(AccessDenied|Arrearage)/i, 403],
  [/^(Invalid|DataInspection|BadRequest|IPInfringement|ModelNotFound)/i, 400],
];
const GOES_ON: ReadonlySet<string> = new Set(["PENDING", "RUNNING", "SUSPENDED"]);

const baseOf = (like: OpenAiLike, { baseUrl }: Target): string =>
  (baseUrl || like.baseUrl).replace(/\/(compatible-mode(\/v1)?|api\/v1)$/, "");

const authHeaders = ({ key }: Target) => ({ authorization: `Bearer ${key}` });

const pick = (body: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));

function drawingBody(body: Json, { model }: Target): Json {
  const size = sizeOf(body);
  const style = asText(body["style"]) ?? "";
  return {
    model,
    input: { prompt: body["prompt"], ...pick(body, IN_INPUT) },
    parameters: compact({
      ...pick(body, IN_PARAMETERS),
      size: size && `${size.width}*${size.height}`,
      n: Number(body["n"] ?? 0) || 1,
      style: STYLE.test(style) ? style : undefined,
    }),
  };
}

function failureOfTask({ code, message }: Json, fallback: string): StreamFailure {
  const word = asText(code) ?? "";
  const status = STATUS_BY_CODE.find(([pattern]) => pattern.test(word))?.[1] ?? 502;
  return new StreamFailure(failureOf(asText(message) || fallback, { code: word || undefined }), status);
}

/** The task of an answer. Throws StreamFailure where there is none. */
function taskOf(value: unknown): Json {
  const body = asObject(value);
  const output = asObject(body?.["output"]);
  if (output && asText(output["task_status"])) return output;
  if (body && asText(body["code"])) throw failureOfTask(body, "upstream answered with an error");
  throw unreadableResponse();
}

/** The task as it is now; undefined where the look told nothing and the next may. */
async function look(address: string, target: Target, { ask }: FollowUp): Promise<Json | undefined> {
  const answer = await ask({ url: address, headers: authHeaders(target) });
  if (!answer || answer.status === 429 || answer.status >= 500) return undefined;
  if (answer.status >= 200 && answer.status <= 299) return taskOf(answer.body);
  throw new StreamFailure(readFailure(answer.body) ?? statusFailure(answer.status), answer.status);
}

/** Waits until the task is over. Throws StreamFailure when it takes too long. */
async function ended(first: Json, address: string, target: Target, followUp: FollowUp): Promise<Json> {
  let task = first;
  for (let looks = 0; GOES_ON.has(asText(task["task_status"]) ?? ""); looks++) {
    if (looks >= LOOKS_MAX) throw new StreamFailure(failureOf("the image was not drawn in time"), 504);
    await followUp.wait(LOOK_EVERY_MS);
    task = (await look(address, target, followUp)) ?? task;
  }
  return task;
}

async function imageOf(drawn: Json, wantsData: boolean, followUp: FollowUp): Promise<Json[]> {
  const url = asText(drawn["url"]);
  if (!url) return [];
  const revised_prompt = asText(drawn["actual_prompt"]);
  const image = wantsData ? { b64_json: await followUp.fetchImage(url) } : { url };
  return [compact({ ...image, revised_prompt })];
}

/** The images of a task that is over. Throws StreamFailure when it failed or drew none. */
async function imagesOf(task: Json, wantsData: boolean, followUp: FollowUp): Promise<Json[]> {
  if (task["task_status"] !== "SUCCEEDED") throw failureOfTask(task, "the image was not drawn");
  const results = asList(task["results"]).map((one) => asObject(one) ?? {});
  const images = await Promise.all(results.map((one) => imageOf(one, wantsData, followUp)));
  const data = images.flat();
  if (data.length === 0) throw failureOfTask(results[0] ?? task, "no image was drawn");
  return data;
}

/** OpenAI's image generations on DashScope, where they are tasks: one call begins them, others ask after them. */
export const aliImages = (like: OpenAiLike): Provider =>
  endpointProvider("openai-images", {
    address: (target) => ({
      url: `${baseOf(like, target)}/api/v1/services/aigc/text2image/image-synthesis`,
      headers: { ...JSON_CONTENT, ...authHeaders(target), "x-dashscope-async": "enable" },
    }),
    adaptBody: drawingBody,
    async finish(answer, { body, target }, followUp) {
      const first = taskOf(parseJson(answer.body.toString("utf8")));
      const address = `${baseOf(like, target)}/api/v1/tasks/${encodeURIComponent(asText(first["task_id"]) ?? "")}`;
      const task = await ended(first, address, target, followUp);
      return imageList(await imagesOf(task, body["response_format"] === "b64_json", followUp));
    },
    parseResponse: parseImages,
    parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  });
