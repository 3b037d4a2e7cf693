import type { Json } from "../../chat/chat.ts";
import type { FinishedAnswer } from "../provider.ts";

export type Embedding = { readonly index: number; readonly embedding: unknown };

/** Embeddings as OpenAI lists them; `promptTokens` is left out where upstream tells none. */
export function embeddingList(model: string, data: readonly Embedding[], promptTokens: number): FinishedAnswer {
  const usage: Json = promptTokens > 0 ? { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } } : {};
  const list = { object: "list", data: data.map((one) => ({ object: "embedding", ...one })), model, ...usage };
  return { body: Buffer.from(JSON.stringify(list)), contentType: "application/json" };
}

/** The texts of a call, for upstreams that take lists only; undefined for tokens, which they cannot read. */
export function textsOf(input: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(input) ? (input as unknown[]) : [input];
  return list.every((text) => typeof text === "string") ? list : undefined;
}
