import type { Json } from "../../chat/chat.ts";
import { asText, compact } from "../../chat/json.ts";
import { endpointProvider } from "../endpoints/endpoint-provider.ts";
import { imageList, refuseManyImages, sizeOf } from "../endpoints/image-list.ts";
import { unreadableResponse } from "../failure.ts";
import type { OpenAiLike } from "../openai-likes.ts";
import { parseImages } from "../openai/openai-image-answer.ts";
import { cloudflareError } from "../openai-rules/answers.ts";
import type { Provider, SentAnswer } from "../provider.ts";
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
const PICTURES = ["\u0089PNG", "\u00ff\u00d8\u00ff", "RIFF"] as const;

/** The first flux draws squares of one size. */
const isOneSize = (model: string): boolean => model.endsWith("/flux-1-schnell");

function drawingBody(body: Json, model: string): Json {
  refuseManyImages(body);
  const kept = Object.entries(body).filter(([name]) => !OPENAI_ONLY.has(name));
  const size = isOneSize(model) ? undefined : sizeOf(body);
  return compact({ ...Object.fromEntries(kept), width: size?.width, height: size?.height });
}

function isPicture({ headers, body }: SentAnswer): boolean {
  const start = body.toString("latin1", 0, 4);
  return PICTURES.some((magic) => start.startsWith(magic)) || String(headers["content-type"]).startsWith("image/");
}

/** OpenAI's image generations on Workers AI: some models answer with the picture's bytes, some with base64 in JSON. */
export const cloudflareImages = (like: OpenAiLike): Provider =>
  endpointProvider("openai-images", {
    address: runPlace(like),
    adaptBody: (body, { model }) => drawingBody(body, model),
    finish(answer) {
      const drawn = isPicture(answer) ? answer.body.toString("base64") : asText(resultOf(answer.body)["image"]);
      if (!drawn) throw unreadableResponse();
      return imageList([{ b64_json: drawn }]);
    },
    parseResponse: parseImages,
    parseError: cloudflareError,
  });
