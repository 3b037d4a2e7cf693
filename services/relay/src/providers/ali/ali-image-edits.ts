import type { Json } from "../../core/chat/chat.ts";
import { compact, pick } from "../../core/chat/json.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { typedFields } from "../shared/endpoints/form-values.ts";
import { getImageUrl, refuseMask, sentMask, readInputImages } from "../shared/endpoints/input-images.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseImages } from "../formats/openai/response/openai-image-response.ts";
import type { Provider } from "../contract/provider.ts";
import {
  IMMEDIATE_MODELS,
  getImageEndpoint,
  finishImages,
  IN_PARAMETERS,
  messageBody,
  starSize,
} from "./ali-images.ts";

/** The first editor keeps the size of the sent image; later ones support `size`. */
const FIRST_EDITOR = /^qwen-image-edit(-\d{4}-\d\d-\d\d)?$/;
/** Older than image lists: takes a single image, and a mask if the caller sent one. */
const TAKES_MASK = /imageedit/;

const getParameters = (fields: Json): Json => typedFields(pick(fields, IN_PARAMETERS));

function editBody(fields: Json, model: string): Json {
  refuseMask(fields);
  const { size: _size, ...sizeless } = fields;
  const known = FIRST_EDITOR.test(model) ? sizeless : fields;
  return messageBody({ ...known, ...getParameters(fields) }, model, readInputImages(fields).map(getImageUrl));
}

function maskedInput(fields: Json, images: readonly string[]): Json {
  const mask = sentMask(fields);
  return compact({
    function: mask ? "description_edit_with_mask" : "description_edit",
    prompt: fields["prompt"],
    base_image_url: images[0],
    mask_image_url: mask && getImageUrl(mask),
  });
}

function taskBody(fields: Json, model: string): Json {
  const images = readInputImages(fields).map(getImageUrl);
  const takesMask = TAKES_MASK.test(model);
  if (!takesMask) refuseMask(fields);
  return {
    model,
    input: takesMask
      ? maskedInput(fields, images)
      : { prompt: fields["prompt"], images: images, ...pick(fields, ["negative_prompt"]) },
    parameters: compact({
      ...getParameters(fields),
      size: takesMask ? undefined : starSize(fields),
      n: Number(fields["n"] ?? 0) || 1,
    }),
  };
}

/**
 * OpenAI's image edits on DashScope, which takes JSON with the images as URLs or data: newer models respond at once,
 * older ones are tasks (alibabacloud.com/help/en/model-studio: qwen-image-edit-api, wan2-5-image-edit-api-reference,
 * wanx-image-edit-api-reference).
 */
export const aliImageEdits = (like: OpenAiCompatible): Provider =>
  endpointProvider("openai-image-edits", {
    address: (target) => getImageEndpoint(like, target, "image2image"),
    requests: {
      writeBody(fields, { model }) {
        const body = IMMEDIATE_MODELS.test(model) ? editBody(fields, model) : taskBody(fields, model);
        return { headers: {}, body: JSON.stringify(body) };
      },
    },
    finish: finishImages(like),
    parseResponse: parseImages,
  });
