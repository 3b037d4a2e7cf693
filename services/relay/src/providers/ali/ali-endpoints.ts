import type { EndpointProviders } from "../contract/provider.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { aliImageEdits } from "./ali-image-edits.ts";
import { aliImages } from "./ali-images.ts";
import { aliRerank } from "./ali-rerank.ts";
import { aliSpeech } from "./ali-speech.ts";

/** The non-chat endpoints of DashScope that have a format of their own. */
export const aliEndpoints = (row: OpenAiCompatible): EndpointProviders => ({
  "openai-images": aliImages(row),
  "openai-image-edits": aliImageEdits(row),
  "openai-speech": aliSpeech(row),
  rerank: aliRerank(row),
});
