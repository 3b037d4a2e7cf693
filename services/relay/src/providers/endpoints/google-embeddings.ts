import type { Json } from "../../chat/chat.ts";
import { embedCallsOf, textOfEmbedCall } from "../../chat/embed-calls.ts";
import { compact } from "../../chat/json.ts";
import { RelayError } from "../../errors/relay-error.ts";

function textOf(call: Json, index: number): string {
  const text = textOfEmbedCall(call);
  if (text !== undefined) return text;
  const param = `requests[${index}].content`;
  throw new RelayError("invalid_request", `${param}: must be text for this model`, { param });
}

/** A call of Google's embeddings in OpenAI's form. Throws invalid_request for content that is no text. */
export function asOpenAiEmbeddings(body: Json, model: string): Json {
  const calls = embedCallsOf(body);
  const dimensions = calls[0]?.["outputDimensionality"];
  return compact({ model, input: calls.map(textOf), encoding_format: "float", dimensions });
}
