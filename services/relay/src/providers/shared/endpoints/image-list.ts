import type { Json } from "../../../core/chat/chat.ts";
import { compact } from "../../../core/chat/json.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import type { ProcessedResponse, PostProcessing } from "../../contract/provider.ts";
import { jsonResponse } from "../json-content.ts";

/** Images as OpenAI's list. */
export const imageList = (data: readonly Json[]): ProcessedResponse =>
  jsonResponse({ created: Math.floor(Date.now() / 1000), data });

/** An image at a URL, and the revised prompt if it is reported. */
export type GeneratedImage = { readonly url: string; readonly prompt?: string | undefined };

/** Images as OpenAI's list: by URL, or fetched if the caller requests the data. */
export async function toImageList(
  drawn: readonly GeneratedImage[],
  requested: Json,
  postProcessing: PostProcessing,
): Promise<ProcessedResponse> {
  const requestsData = requested["response_format"] === "b64_json";
  const getEntry = async ({ url, prompt: revised_prompt }: GeneratedImage): Promise<Json> => {
    const image = requestsData ? { b64_json: await postProcessing.fetchImage(url) } : { url };
    return compact({ ...image, revised_prompt });
  };
  return imageList(await Promise.all(drawn.map(getEntry)));
}

/** Refuses several images per call. */
export function refuseManyImages(body: Json): void {
  if (Number(body["n"] ?? 0) <= 1) return;
  throw new RelayError("invalid_request", "n above 1 is not supported for this model", { param: "n" });
}

/** Width and height of `1024x1536`; undefined for keywords and absent values. */
export function parseSize(body: Json): { readonly width: number; readonly height: number } | undefined {
  const match = typeof body["size"] === "string" ? /^(\d+)x(\d+)$/.exec(body["size"]) : null;
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}
