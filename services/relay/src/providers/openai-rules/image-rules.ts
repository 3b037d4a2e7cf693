import type { Json } from "../../chat/chat.ts";
import { asList, asObject, asText, compact, parseJson } from "../../chat/json.ts";
import { imageList } from "../endpoints/image-list.ts";
import { errorInside, unreadableResponse } from "../failure.ts";
import type { Provider } from "../provider.ts";
import { drop, inOrder, rename } from "./body-rules.ts";

type ImageRules = Pick<Provider, "adaptBody" | "finish">;

/** xAI draws in one size and quality, refuses to be asked for another, and does not say when it drew. */
const XAI: ImageRules = {
  adaptBody: drop("size", "quality", "style"),
  finish({ body }) {
    const answer = asObject(parseJson(body.toString("utf8")));
    if (answer?.["error"]) throw errorInside(answer);
    if (!answer || !Array.isArray(answer["data"])) throw unreadableResponse();
    const whole = { created: Math.floor(Date.now() / 1000), ...answer };
    return { body: Buffer.from(JSON.stringify(whole)), contentType: "application/json" };
  },
};

const SIZE_UNKNOWN = /Image-Edit/i;

/** SiliconFlow: sizes and numbers by other names, images in a list of its own (docs.siliconflow.cn, images-generations). */
const SILICON_FLOW: ImageRules = {
  adaptBody(body: Json, target) {
    const sized =
      SIZE_UNKNOWN.test(target.model) || body["size"] === "auto" ? drop("size") : rename("size", "image_size");
    const rules = inOrder(sized, rename("n", "batch_size"), drop("quality", "style", "response_format", "user"));
    return rules(body, target);
  },
  async finish({ body }, asked, followUp) {
    const answer = asObject(parseJson(body.toString("utf8")));
    if (answer?.["error"]) throw errorInside(answer);
    const images = asList(answer?.["images"] ?? answer?.["data"]).map((value) => asObject(value) ?? {});
    const urls = images.flatMap((image) => asText(image["url"]) ?? []);
    if (urls.length === 0) throw unreadableResponse();
    const wantsData = asked.body["response_format"] === "b64_json";
    return imageList(
      await Promise.all(
        urls.map(async (url) => compact(wantsData ? { b64_json: await followUp.fetchImage(url) } : { url })),
      ),
    );
  },
};

/** What providers want otherwise of image generations, by channel type. */
export const IMAGE_RULES: Readonly<Record<number, ImageRules>> = { 40: SILICON_FLOW, 48: XAI };
