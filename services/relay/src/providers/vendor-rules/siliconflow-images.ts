import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, parseJson } from "../../core/chat/json.ts";
import { toImageList } from "../shared/endpoints/image-list.ts";
import { errorInside, unreadableResponse } from "../shared/upstream-failure.ts";
import type { EndpointDifferences } from "../formats/openai/openai-compatible.ts";
import { drop, inOrder, rename } from "../shared/body-rules.ts";

const SIZE_UNKNOWN = /Image-Edit/i;

/**
 * SiliconFlow: other field names for size and number, images in a list of its own (docs.siliconflow.cn,
 * images-generations).
 */
export const siliconFlowImages: EndpointDifferences = {
  adaptBody(body: Json, target) {
    const sized =
      SIZE_UNKNOWN.test(target.model) || body["size"] === "auto" ? drop("size") : rename("size", "image_size");
    const rules = inOrder(sized, rename("n", "batch_size"), drop("quality", "style", "response_format", "user"));
    return rules(body, target);
  },
  finish({ body }, requested, postProcessing) {
    const response = asObject(parseJson(body.toString("utf8")));
    if (response?.["error"]) throw errorInside(response);
    const images = asObjects(response?.["images"] ?? response?.["data"]);
    const urls = images.flatMap((image) => asText(image["url"]) ?? []);
    if (urls.length === 0) throw unreadableResponse();
    return toImageList(
      urls.map((url) => ({ url })),
      requested.body,
      postProcessing,
    );
  },
};
