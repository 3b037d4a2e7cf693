import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import type { Dialect, OutputBound } from "../../core/call/dialect.ts";
import { atMost } from "../shared/chat-fields.ts";
import { requireObject } from "../shared/fields.ts";
import { writeOpenAiError } from "../openai-chat/openai-error.ts";
import {
  CompactionStreamWriter,
  isCompactionTurn,
  parseCompactionTurn,
  writeCompactionTurn,
} from "./compaction-turn.ts";
import { writeResponsesResponse } from "./responses-object.ts";
import { getOwnField, parseResponsesRequest, readResponsesFields } from "./responses-request.ts";
import { getOffered } from "./tool-catalog.ts";
import { ResponsesStreamWriter } from "./responses-stream.ts";

/** The API accepts no lower limit. Source: OpenAI API reference, `max_output_tokens`. */
const TOKENS_MIN = 16;

function boundOutput(body: Json, tokens: number): OutputBound {
  if (tokens < TOKENS_MIN) return { needed: `${TOKENS_MIN} tokens` };
  return { fields: { max_output_tokens: atMost(body["max_output_tokens"], tokens) } };
}

function parseRequest(value: unknown): ChatRequest {
  const body = requireObject(value, "body");
  return isCompactionTurn(body) ? parseCompactionTurn(body) : parseResponsesRequest(body);
}

/** OpenAI's Responses API. Chat-only channels serve the fields that chat supports. */
export const openAiResponses: Dialect = {
  name: "openai-responses",
  fallbackField: "models",
  passesBodyUnchanged: true,
  refersToItems: true,
  boundOutput,
  readFields: readResponsesFields,
  endpoint: {
    prompt: (body) => collectFieldText(body, ["instructions", "input", "tools", "text"]),
    promptOnly: false,
    isServedByChat: true,
    ownField: getOwnField,
    isPartialOverChat: (body) => isCompactionTurn(body) || getOffered(body).some(({ type }) => type !== "function"),
  },
  parseRequest,
  writeResponse: (response, context) =>
    (isCompactionTurn(context.requested) ? writeCompactionTurn : writeResponsesResponse)(response, context),
  newStreamWriter: (context) =>
    isCompactionTurn(context.requested) ? new CompactionStreamWriter(context) : new ResponsesStreamWriter(context),
  writeError: writeOpenAiError,
};
