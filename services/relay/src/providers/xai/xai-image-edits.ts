import type { Json } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { endpointProvider } from "../shared/endpoints/endpoint-provider.ts";
import { typedFields } from "../shared/endpoints/form-values.ts";
import { getImageUrl, type InputImage, sentMask, readInputImages } from "../shared/endpoints/input-images.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { parseImages } from "../formats/openai/response/openai-image-response.ts";
import { openAiAddress } from "../formats/openai/openai-address.ts";
import { finishXaiImages } from "./xai-images.ts";
import type { Provider } from "../contract/provider.ts";

/** Fields that are passed through; sizes, qualities and styles are refused, as for generations. */
const REPORTED = ["prompt", "response_format", "aspect_ratio", "resolution", "user"] as const;

const asSource = (image: InputImage): Json => ({ type: "image_url", url: getImageUrl(image) });

/** A single image is in `image`, several are in `images`: never both. */
function sources(fields: Json): Json {
  const [first, ...others] = readInputImages(fields).map(asSource);
  return others.length === 0 ? { image: first } : { images: [first, ...others] };
}

function editBody(fields: Json, model: string): Json {
  const mask = sentMask(fields);
  return compact({
    model,
    ...Object.fromEntries(REPORTED.map((name) => [name, fields[name]])),
    n: typedFields({ n: fields["n"] })["n"],
    ...sources(fields),
    mask: mask && asSource(mask),
  });
}

/**
 * OpenAI's image edits at xAI, which accepts JSON only, with the images as URLs or data
 * (docs.x.ai/developers/model-capabilities/images/editing and /multi-image-editing).
 */
export function xaiImageEdits(like: OpenAiCompatible): Provider {
  const edits = { ...like, chatPath: "/v1/images/edits" };
  return endpointProvider("openai-image-edits", {
    address: (target) => openAiAddress(edits, target),
    requests: {
      writeBody: (fields, { model }) => ({ headers: JSON_CONTENT, body: JSON.stringify(editBody(fields, model)) }),
    },
    finish: finishXaiImages,
    parseResponse: parseImages,
  });
}
