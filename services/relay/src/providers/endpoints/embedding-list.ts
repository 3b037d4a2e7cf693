import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { FinishedAnswer } from "../contract/provider.ts";
import { jsonAnswer } from "./json-answer.ts";

export type Embedding = { readonly index: number; readonly embedding: unknown };

/** Embeddings as OpenAI lists them; `promptTokens` is left out where upstream tells none. */
export function embeddingList(model: string, data: readonly Embedding[], promptTokens: number): FinishedAnswer {
  const usage: Json = promptTokens > 0 ? { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } } : {};
  return jsonAnswer({ object: "list", data: data.map((one) => ({ object: "embedding", ...one })), model, ...usage });
}

/** The texts of a call, for upstreams that take lists only. Throws invalid_request for tokens, which they cannot read. */
export function textsOf(input: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(input) ? (input as unknown[]) : [input];
  if (list.every((text) => typeof text === "string")) return list;
  throw new RelayError("invalid_request", "this model reads texts, not tokens", { param: "input" });
}
