import type { Json } from "../chat/chat.ts";
import { asList, asObject, asText } from "../chat/json.ts";

/** The single requests of a Google embeddings body: all requests of a batch, else the body itself. */
export const getEmbeddingRequests = (body: Json): readonly Json[] =>
  body["requests"] === undefined ? [body] : asList(body["requests"]).map((request) => asObject(request) ?? {});

/** The text of one request's content; undefined if there is none. */
export function getEmbeddingText(call: Json): string | undefined {
  const parts = asList(asObject(call["content"])?.["parts"]);
  const texts = parts.flatMap((part) => asText(asObject(part)?.["text"]) ?? []);
  return texts.length === 0 ? undefined : texts.join("\n");
}
