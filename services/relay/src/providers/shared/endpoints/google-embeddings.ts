import type { Json } from "../../../core/chat/chat.ts";
import { getEmbeddingRequests, getEmbeddingText } from "../../../core/vendors/gemini-embedding-requests.ts";
import { compact } from "../../../core/chat/json.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";

function getText(call: Json, index: number): string {
  const text = getEmbeddingText(call);
  if (text !== undefined) return text;
  const param = `requests[${index}].content`;
  throw new RelayError("invalid_request", `${param}: must be text for this model`, { param });
}

/** Converts a call of Google's embeddings to OpenAI's format. Throws invalid_request for content that is not text. */
export function asOpenAiEmbeddings(body: Json, model: string): Json {
  const calls = getEmbeddingRequests(body);
  const dimensions = calls[0]?.["outputDimensionality"];
  return compact({ model, input: calls.map(getText), encoding_format: "float", dimensions });
}
