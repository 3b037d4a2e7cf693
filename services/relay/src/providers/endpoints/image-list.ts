import type { Json } from "../../chat/chat.ts";
import { RelayError } from "../../errors/relay-error.ts";
import type { FinishedAnswer } from "../provider.ts";

/** Images as OpenAI lists them. */
export const imageList = (data: readonly Json[]): FinishedAnswer => ({
  body: Buffer.from(JSON.stringify({ created: Math.floor(Date.now() / 1000), data })),
  contentType: "application/json",
});

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
