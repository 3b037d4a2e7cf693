import { optionalBoolean, requireName } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { asOpenAiImages } from "./google-images.ts";
import { getModel } from "./endpoint-fields.ts";
import { checkImageSize, IMAGE_MODEL_DEFAULT, imageCount, imagePieces, imageUnits } from "./image-fields.ts";

/** OpenAI's image generations. If upstream reports no tokens, the images are charged. */
export const openAiImages = passThroughDialect("openai-images", {
  readFields(body) {
    const model = getModel(body, undefined, IMAGE_MODEL_DEFAULT);
    requireName(body["prompt"], "prompt");
    checkImageSize(body, model);
    imageCount(body);
    const stream = optionalBoolean(body["stream"], "stream") ?? false;
    return { model, stream, includeUsage: false, maxOutputTokens: undefined };
  },
  prompt: (body) => ({ text: "", extraTokens: imageCount(body), isExact: true }),
  promptOnly: true,
  priceUnits: imageUnits,
  pieces: imagePieces,
  rewriteResponse: asOpenAiImages,
});
