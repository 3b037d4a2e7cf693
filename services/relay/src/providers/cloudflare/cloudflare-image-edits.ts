import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { typedFields } from "../shared/endpoints/form-values.ts";
import { refuseMask, type InputImage, readInputImages } from "../shared/endpoints/input-images.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseImages } from "../formats/openai/response/openai-image-response.ts";
import { cloudflareError } from "./cloudflare-api.ts";
import type { Provider } from "../contract/provider.ts";
import { toFormData, type FormUpload } from "../shared/form-data.ts";
import { buildImageBody, finishImages, takesForm } from "./cloudflare-images.ts";
import { getRunEndpoint } from "./cloudflare-run.ts";

/** These models require one input image; without it they generate from text only. */
const FROM_ONE = /stable-diffusion|dreamshaper/;
const IMAGES_MAX = 4;

const refused = (message: string, param = "image"): RelayError => new RelayError("invalid_request", message, { param });

/** The bytes of the image. Throws for a URL: these models take files. */
function getUpload(image: InputImage, index: number): FormUpload {
  if ("url" in image) throw refused("images by URL are not supported for this model: send them as files");
  const [, ending = "png"] = image.mediaType.split("/");
  return { name: `input_image_${index}`, filename: `${index}.${ending}`, ...image };
}

function uploads(fields: Json, most: number): FormUpload[] {
  const images = readInputImages(fields);
  if (images.length > most) throw refused(`more than ${most} images are not supported for this model`);
  return images.map(getUpload);
}

function writeBody(fields: Json, model: string): { headers: Readonly<Record<string, string>>; body: string | Buffer } {
  refuseMask(fields);
  const { image: _image, "image[]": _list, images: _images, ...request } = fields;
  const body = buildImageBody(request, model);
  if (takesForm(model)) return toFormData(body, uploads(fields, IMAGES_MAX));
  if (!FROM_ONE.test(model)) throw refused(`the model ${model} does not edit images`, "model");
  const [image] = uploads(fields, 1);
  const { prompt, ...others } = body;
  const written = { prompt, ...typedFields(others), image_b64: image?.content.toString("base64") };
  return { headers: JSON_CONTENT, body: JSON.stringify(written) };
}

/**
 * OpenAI's image edits on Workers AI: flux-2 takes up to four images as `input_image_0` and so on in a form, Stable
 * Diffusion one as `image_b64` (developers.cloudflare.com/workers-ai/models: flux-2-dev,
 * stable-diffusion-v1-5-img2img).
 */
export const cloudflareImageEdits = (like: OpenAiCompatible): Provider =>
  endpointProvider("openai-image-edits", {
    address: getRunEndpoint(like),
    requests: { writeBody: (fields, { model }) => writeBody(fields, model) },
    finish: finishImages,
    parseResponse: parseImages,
    parseError: cloudflareError,
  });
