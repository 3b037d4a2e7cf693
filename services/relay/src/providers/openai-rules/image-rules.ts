import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, parseJson } from "../../core/chat/json.ts";
import { toImageList } from "../endpoints/image-list.ts";
import { jsonAnswer } from "../endpoints/json-answer.ts";
import { errorInside, unreadableResponse } from "../shared/upstream-failure.ts";
import type { ProcessedResponse, Provider, ProviderResponse } from "../contract/provider.ts";
import { drop, inOrder, rename } from "./body-rules.ts";

type ImageRules = Pick<Provider, "adaptBody" | "finish">;

/** xAI reports no creation time. */
export function finishXaiImages({ body }: ProviderResponse): ProcessedResponse {
  const answer = asObject(parseJson(body.toString("utf8")));
  if (answer?.["error"]) throw errorInside(answer);
  if (!answer || !Array.isArray(answer["data"])) throw unreadableResponse();
  return jsonAnswer({ created: Math.floor(Date.now() / 1000), ...answer });
}

/** xAI generates images in one size and quality, and refuses these fields. */
const XAI: ImageRules = { adaptBody: drop("size", "quality", "style"), finish: finishXaiImages };

const SIZE_UNKNOWN = /Image-Edit/i;

/**
 * SiliconFlow: other field names for size and number, images in a list of its own (docs.siliconflow.cn,
 * images-generations).
 */
const SILICON_FLOW: ImageRules = {
  adaptBody(body: Json, target) {
    const sized =
      SIZE_UNKNOWN.test(target.model) || body["size"] === "auto" ? drop("size") : rename("size", "image_size");
    const rules = inOrder(sized, rename("n", "batch_size"), drop("quality", "style", "response_format", "user"));
    return rules(body, target);
  },
  finish({ body }, asked, postProcessing) {
    const answer = asObject(parseJson(body.toString("utf8")));
    if (answer?.["error"]) throw errorInside(answer);
    const images = asObjects(answer?.["images"] ?? answer?.["data"]);
    const urls = images.flatMap((image) => asText(image["url"]) ?? []);
    if (urls.length === 0) throw unreadableResponse();
    return toImageList(
      urls.map((url) => ({ url })),
      asked.body,
      postProcessing,
    );
  },
};

/** Provider-specific changes to image generations, by channel type. */
export const IMAGE_RULES: Readonly<Record<number, ImageRules>> = { 40: SILICON_FLOW, 48: XAI };
