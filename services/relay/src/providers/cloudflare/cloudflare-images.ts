import { isPaidByTile, TILED_SIDE_DEFAULT } from "@turnpike/contract/pricing/image-price";
import type { Json } from "../../core/chat/chat.ts";
import { asText, compact } from "../../core/chat/json.ts";
import { detectImageType } from "../../core/chat/image-type.ts";
import { endpointProvider } from "../endpoints/endpoint-provider.ts";
import { imageList, refuseManyImages, sizeOf } from "../endpoints/image-list.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiLike } from "../registry/openai-compatible.ts";
import { parseImages } from "../openai/openai-image-answer.ts";
import { cloudflareError } from "../openai-rules/answers.ts";
import type { FinishedAnswer, Provider, SentAnswer } from "../contract/provider.ts";
import { formOfFields } from "./cloudflare-form.ts";
import { resultOf, runPlace } from "./cloudflare-run.ts";

/** What OpenAI's callers say and these models know nothing of; all else goes through. */
const OPENAI_ONLY: ReadonlySet<string> = new Set([
  "model",
  "n",
  "size",
  "quality",
  "style",
  "background",
  "moderation",
  "output_compression",
  "output_format",
  "partial_images",
  "response_format",
  "stream",
  "user",
]);

/** The first flux draws squares of one size. */
const isOneSize = (model: string): boolean => model.endsWith("/flux-1-schnell");
/** Takes forms alone, also where there is no picture to send. */
export const takesForm = (model: string): boolean => model.includes("/flux-2-");
/** What is charged for where a caller of a model that is paid by the tile names no size, and what is drawn then. */
const SQUARE = { width: TILED_SIDE_DEFAULT, height: TILED_SIDE_DEFAULT };

/** What the models know of a call's fields. Throws RelayError for several images at once. */
export function drawingBody(body: Json, model: string): Json {
  refuseManyImages(body);
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !OPENAI_ONLY.has(name)));
  if (isOneSize(model)) return kept;
  const size = sizeOf(body);
  const ownSize = isPaidByTile(model) ? { ...SQUARE, ...kept } : kept;
  return compact({ ...ownSize, ...size });
}

const isPicture = ({ headers, body }: SentAnswer): boolean =>
  detectImageType(body) !== undefined || String(headers["content-type"]).startsWith("image/");

/** The picture of an answer, as OpenAI lists it. Throws StreamFailure where there is none. */
export function finishDrawing(answer: SentAnswer): FinishedAnswer {
  const drawn = isPicture(answer) ? answer.body.toString("base64") : asText(resultOf(answer.body)["image"]);
  if (!drawn) throw unreadableResponse();
  return imageList([{ b64_json: drawn }]);
}

/**
 * OpenAI's image generations on Workers AI: some models answer with the picture's bytes, some with base64 in JSON; the second flux
 * takes forms (developers.cloudflare.com/workers-ai/models/flux-2-dev, …/flux-2-klein-4b, …/lucid-origin, …/phoenix-1.0).
 */
export const cloudflareImages = (like: OpenAiLike): Provider =>
  endpointProvider("openai-images", {
    address: runPlace(like),
    adaptBody: (body, { model }) => drawingBody(body, model),
    writeBody: (fields, { model }) => (takesForm(model) ? formOfFields(drawingBody(fields, model)) : undefined),
    finish: finishDrawing,
    parseResponse: parseImages,
    parseError: cloudflareError,
  });
