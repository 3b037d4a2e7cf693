import type { Json } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { FinishedAnswer, PostProcessing } from "../contract/provider.ts";
import { jsonAnswer } from "./json-answer.ts";

/** Images as OpenAI lists them. */
export const imageList = (data: readonly Json[]): FinishedAnswer =>
  jsonAnswer({ created: Math.floor(Date.now() / 1000), data });

/** A picture at an address, and the prompt that it was drawn from, where that is told. */
export type Drawn = { readonly url: string; readonly prompt?: string | undefined };

/** Pictures as OpenAI lists them: by address, or fetched where the caller wants the data. */
export async function listDrawn(
  drawn: readonly Drawn[],
  asked: Json,
  postProcessing: PostProcessing,
): Promise<FinishedAnswer> {
  const wantsData = asked["response_format"] === "b64_json";
  const entryOf = async ({ url, prompt: revised_prompt }: Drawn): Promise<Json> => {
    const image = wantsData ? { b64_json: await postProcessing.fetchImage(url) } : { url };
    return compact({ ...image, revised_prompt });
  };
  return imageList(await Promise.all(drawn.map(entryOf)));
}

/** Refuses several images at once. */
export function refuseManyImages(body: Json): void {
  if (Number(body["n"] ?? 0) <= 1) return;
  throw new RelayError("invalid_request", "n above 1 is not supported for this model", { param: "n" });
}

/** Width and height of `1024x1536`; undefined for words and for nothing. */
export function sizeOf(body: Json): { readonly width: number; readonly height: number } | undefined {
  const match = typeof body["size"] === "string" ? /^(\d+)x(\d+)$/.exec(body["size"]) : null;
  return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
}
