import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, parseJson } from "../../core/chat/json.ts";
import { listDrawn } from "../endpoints/image-list.ts";
import { jsonAnswer } from "../endpoints/json-answer.ts";
import { errorInside, unreadableResponse } from "../shared/upstream-failure.ts";
import type { FinishedAnswer, Provider, SentAnswer } from "../contract/provider.ts";
import { drop, inOrder, rename } from "./body-rules.ts";

type ImageRules = Pick<Provider, "adaptBody" | "finish">;

/** xAI does not say when it drew. */
export function finishXaiImages({ body }: SentAnswer): FinishedAnswer {
  const answer = asObject(parseJson(body.toString("utf8")));
  if (answer?.["error"]) throw errorInside(answer);
  if (!answer || !Array.isArray(answer["data"])) throw unreadableResponse();
  return jsonAnswer({ created: Math.floor(Date.now() / 1000), ...answer });
}

/** xAI draws in one size and quality, and refuses to be asked for another. */
const XAI: ImageRules = { adaptBody: drop("size", "quality", "style"), finish: finishXaiImages };

const SIZE_UNKNOWN = /Image-Edit/i;

/** SiliconFlow: sizes and numbers by other names, images in a list of its own (docs.siliconflow.cn, images-generations). */
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
    return listDrawn(
      urls.map((url) => ({ url })),
      asked.body,
      postProcessing,
    );
  },
};

/** What providers want otherwise of image generations, by channel type. */
export const IMAGE_RULES: Readonly<Record<number, ImageRules>> = { 40: SILICON_FLOW, 48: XAI };
