import { requireName } from "../shared/fields.ts";
import { passThroughDialect } from "./endpoint-dialect.ts";
import { getModel, requireContent } from "./endpoint-fields.ts";
import { checkImageSize, IMAGE_MODEL_DEFAULT, imageCount, imagePieces, imageUnits } from "./image-fields.ts";

/** OpenAI's image edits, as a multipart form or as JSON; priced like image generations. */
export const openAiImageEdits = passThroughDialect("openai-image-edits", {
  readFields(body) {
    const model = getModel(body, undefined, IMAGE_MODEL_DEFAULT);
    requireName(body["prompt"], "prompt");
    requireContent(body["image"] ?? body["image[]"] ?? body["images"], "image");
    checkImageSize(body, model);
    imageCount(body);
    const stream = body["stream"] === true || body["stream"] === "true";
    return { model, stream, includeUsage: false, maxOutputTokens: undefined };
  },
  prompt: (body) => ({ text: "", extraTokens: imageCount(body), isExact: true }),
  promptOnly: true,
  takesForm: true,
  priceUnits: imageUnits,
  pieces: imagePieces,
});
