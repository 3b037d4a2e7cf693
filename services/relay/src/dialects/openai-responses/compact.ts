import { collectFieldText } from "../../accounting/tokens/token-estimate.ts";
import type { ChatRequest, ChatResponse, Json } from "../../core/chat/chat.ts";
import type { Dialect, ResponseContext } from "../../core/call/dialect.ts";
import { checkShapes } from "./field-shapes.ts";
import { parseResponsesRequest } from "./responses-request.ts";
import { responsesUsage } from "./responses-wire.ts";
import { invalidField, requireObject } from "../shared/fields.ts";
import { readSummary, toSummaryCall } from "../shared/summary.ts";
import { passThroughDialect } from "../endpoints/endpoint-dialect.ts";
import { getModel, requireContent } from "../endpoints/endpoint-fields.ts";

const PREVIOUS = "previous_response_id";

/** Requests a summary of the conversation from a model without compaction. Throws invalid_request. */
export const toSummaryRequest = (body: Json): ChatRequest => toSummaryCall(parseResponsesRequest(body));

function parseCompactRequest(value: unknown): ChatRequest {
  const { model, input, instructions, [PREVIOUS]: previous } = requireObject(value, "body");
  if (previous) throw invalidField(PREVIOUS, "is not supported for this model: its provider stores no responses");
  return toSummaryRequest({ model, input, instructions });
}

/** The item that holds the summary, sealed for the caller. Throws upstream_error if there is no summary. */
export function writeCompactionItem(
  response: Pick<ChatResponse, "parts" | "finishReason">,
  { requestId, sealSummary }: ResponseContext,
): Json {
  if (!sealSummary) throw new Error("the call has no seal for its summary");
  return { id: `cmp_${requestId}`, type: "compaction", encrypted_content: sealSummary(readSummary(response)) };
}

function writeCompaction(response: ChatResponse, context: ResponseContext): unknown {
  return {
    id: `resp_${context.requestId}`,
    object: "response.compaction",
    created_at: context.createdAtSeconds,
    output: [writeCompactionItem(response, context)],
    usage: responsesUsage(response.usage),
  };
}

/**
 * Compaction of a conversation (`POST /v1/responses/compact`): the response holds an encrypted item that replaces it. At OpenAI
 * its account alone reads the item; models of other providers write a summary, which Turnpike seals
 * (docs/decisions/080). Source: OpenAI API reference, "Compact a response".
 */
export const openAiCompact: Dialect = {
  ...passThroughDialect(
    "openai-compact",
    {
      readFields(body) {
        const model = getModel(body, undefined);
        checkShapes(body);
        if (!body[PREVIOUS]) requireContent(body["input"], "input");
        return { model, stream: false, includeUsage: false, maxOutputTokens: undefined };
      },
      prompt: (body) => collectFieldText(body, ["instructions", "input"]),
      promptOnly: false,
      isServedByChat: true,
      // Many servers of OpenAI's format have a channel of its type as well.
      fallsBackToChat: true,
      ownField: (body: Json) => (body[PREVIOUS] ? PREVIOUS : undefined),
      // Channels that compact themselves come first.
      isPartialOverChat: () => true,
    },
    { passesBodyUnchanged: true, refersToItems: true },
  ),
  parseRequest: parseCompactRequest,
  writeResponse: writeCompaction,
};
