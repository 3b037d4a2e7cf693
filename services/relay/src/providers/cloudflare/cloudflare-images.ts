import { isPaidByTile, TILED_SIDE_DEFAULT } from "@turnpike/contract/pricing/image-price";
import type { Json } from "../../core/chat/chat.ts";
import { asText, compact } from "../../core/chat/json.ts";
import { detectImageType } from "../../core/chat/image-type.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { imageList, refuseManyImages, parseSize } from "../shared/endpoints/image-list.ts";
import { unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseImages } from "../formats/openai/response/openai-image-response.ts";
import { cloudflareError } from "./cloudflare-api.ts";
import type { ProcessedResponse, Provider, ProviderResponse } from "../contract/provider.ts";
import { toFormData } from "../shared/form-data.ts";
import { parseResult, getRunEndpoint } from "./cloudflare-run.ts";

/** OpenAI fields that these models do not support; all others are passed through. */
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

/** flux-1 generates squares of one size. */
const isOneSize = (model: string): boolean => model.endsWith("/flux-1-schnell");
/** Accepts forms only, even without an input image. */
export const takesForm = (model: string): boolean => model.includes("/flux-2-");
/** The default size for models priced per tile: it is charged and requested if the caller names none. */
const SQUARE = { width: TILED_SIDE_DEFAULT, height: TILED_SIDE_DEFAULT };

/** The call's fields that the models support. Throws RelayError for several images per call. */
export function buildImageBody(body: Json, model: string): Json {
  refuseManyImages(body);
  const kept = Object.fromEntries(Object.entries(body).filter(([name]) => !OPENAI_ONLY.has(name)));
  if (isOneSize(model)) return kept;
  const size = parseSize(body);
  const ownSize = isPaidByTile(model) ? { ...SQUARE, ...kept } : kept;
  return compact({ ...ownSize, ...size });
}

const isImage = ({ headers, body }: ProviderResponse): boolean =>
  detectImageType(body) !== undefined || String(headers["content-type"]).startsWith("image/");

/** The image of a response, as OpenAI's list. Throws StreamFailure if there is none. */
export function finishImages(response: ProviderResponse): ProcessedResponse {
  const image = isImage(response) ? response.body.toString("base64") : asText(parseResult(response.body)["image"]);
  if (!image) throw unreadableResponse();
  return imageList([{ b64_json: image }]);
}

/**
 * OpenAI's image generations on Workers AI: some models return the image's bytes, some base64 in JSON; flux-2 takes
 * forms (developers.cloudflare.com/workers-ai/models/flux-2-dev, …/flux-2-klein-4b, …/lucid-origin, …/phoenix-1.0).
 */
export const cloudflareImages = (like: OpenAiCompatible): Provider =>
  endpointProvider("openai-images", {
    address: getRunEndpoint(like),
    adaptBody: (body, { model }) => buildImageBody(body, model),
    requests: {
      writeBody: (fields, { model }) => (takesForm(model) ? toFormData(buildImageBody(fields, model)) : undefined),
    },
    finish: finishImages,
    parseResponse: parseImages,
    parseError: cloudflareError,
  });
