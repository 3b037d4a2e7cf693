import type { Json } from "../../../core/chat/chat.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import type { ProcessedResponse } from "../../contract/provider.ts";
import { jsonResponse } from "../json-content.ts";

export type Embedding = { readonly index: number; readonly embedding: unknown };

/** Embeddings as OpenAI's list; `promptTokens` is omitted if upstream reports none. */
export function embeddingList(model: string, data: readonly Embedding[], promptTokens: number): ProcessedResponse {
  const usage: Json = promptTokens > 0 ? { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } } : {};
  return jsonResponse({ object: "list", data: data.map((one) => ({ object: "embedding", ...one })), model, ...usage });
}

/**
 * The texts of a call, for upstreams that take lists only. Throws invalid_request for tokens, which they do not
 * support.
 */
export function getTexts(input: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(input) ? (input as unknown[]) : [input];
  if (list.every((text) => typeof text === "string")) return list;
  throw new RelayError("invalid_request", "this model accepts texts, not tokens", { param: "input" });
}
