import type { EndpointProviders } from "../contract/provider.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { cloudflareImageEdits } from "./cloudflare-image-edits.ts";
import { cloudflareImages } from "./cloudflare-images.ts";
import { cloudflareSpeech } from "./cloudflare-speech.ts";

/** The non-chat endpoints of Workers AI that have a format of their own. */
export const cloudflareEndpoints = (row: OpenAiCompatible): EndpointProviders => ({
  "openai-images": cloudflareImages(row),
  "openai-image-edits": cloudflareImageEdits(row),
  "openai-transcriptions": cloudflareSpeech(row, "openai-transcriptions"),
  "openai-translations": cloudflareSpeech(row, "openai-translations"),
});
