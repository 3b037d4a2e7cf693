import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { Citation, FinishReason, Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { getAnnotations } from "./responses-web-search.ts";

/** The incomplete reason for each finish reason of an unfinished response; OpenAI has no other two. */
const INCOMPLETE: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
  paused: "max_output_tokens",
  failed: "max_output_tokens",
  other: "max_output_tokens",
};

/** Marks the item that was being written when the response was cut off; reasoning items have no status. */
export const asCut = (item: Json): Json => (item["status"] === undefined ? item : { ...item, status: "incomplete" });

/** Whether an input item refers to an item of an earlier response; its type is optional. */
export const isReference = (item: Json): boolean =>
  item["type"] === "item_reference" || ((item["type"] ?? item["role"] ?? undefined) === undefined && "id" in item);

/** The type of the input item that requests a compaction of what precedes it. */
export const COMPACTION_TRIGGER = "compaction_trigger";

/** The id prefix of reasoning items. */
export const REASONING_ID = "rs_";

/** Token counts in the form of the Responses API. */
export function responsesUsage(reported: ReportedUsage): Json {
  const usage = reported ?? NO_USAGE;
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

const REPEATED = [
  "frequency_penalty",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "parallel_tool_calls",
  "presence_penalty",
  "prompt_cache_key",
  "safety_identifier",
  "temperature",
  "tool_choice",
  "top_logprobs",
  "top_p",
  "truncation",
  "user",
] as const;

/** The request fields that a response repeats. Instructions and tools are too long to be sent back. */
function repeated({ requested = {} }: ResponseContext): Json {
  const given = REPEATED.flatMap((name) => (requested[name] === undefined || requested[name] === null ? [] : [name]));
  return {
    ...Object.fromEntries(given.map((name) => [name, requested[name]])),
    reasoning: { effort: null, summary: null, ...asObject(requested["reasoning"]) },
    text: { format: { type: "text" }, ...asObject(requested["text"]) },
  };
}

/**
 * The common fields of every response object in any state, all of which the API's schema requires; numbers default to
 * OpenAI's. Nothing is stored here, so no response can be continued. Source: Open Responses, ResponseResource.
 */
export const envelope = (context: ResponseContext): Json => ({
  id: `resp_${context.requestId}`,
  object: "response",
  created_at: context.createdAtSeconds,
  completed_at: null,
  background: false,
  error: null,
  frequency_penalty: 0,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  model: context.model,
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: "default",
  store: false,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  usage: null,
  ...repeated(context),
});

/** A response in progress. */
export const runningResponse = (context: ResponseContext): Json => ({
  ...envelope(context),
  status: "in_progress",
  output: [],
});

/** A finished response: `completed`, or `incomplete` with the reason. */
export function endedResponse(
  context: ResponseContext,
  end: { readonly output: readonly Json[]; readonly reason: FinishReason; readonly usage: ReportedUsage },
): Json {
  const reason = INCOMPLETE[end.reason];
  context.storeOutput?.(end.output);
  return {
    ...envelope(context),
    status: reason === undefined ? "completed" : "incomplete",
    completed_at: reason === undefined ? Math.floor(Date.now() / 1000) : null,
    incomplete_details: reason === undefined ? null : { reason },
    output: end.output,
    usage: responsesUsage(end.usage),
  };
}

/**
 * The response to a call that generates nothing and only hands over its input (`generate: false`, over a WebSocket), and its
 * events. Nothing is charged for it.
 */
export function writeHeldInput({ storeOutput: _storeOutput, ...context }: ResponseContext): {
  response: Json;
  events: Json[];
} {
  const running = runningResponse(context);
  const response = endedResponse(context, { output: [], reason: "stop", usage: undefined });
  return {
    response,
    events: [
      { type: "response.created", sequence_number: 0, response: running },
      { type: "response.in_progress", sequence_number: 1, response: running },
      { type: "response.completed", sequence_number: 2, response },
    ],
  };
}

export const textPart = (text: string, citations: readonly Citation[] = []): Json => ({
  type: "output_text",
  text,
  annotations: getAnnotations(citations),
  logprobs: [],
});
export const refusalPart = (refusal: string): Json => ({ type: "refusal", refusal });
export const summaryPart = (text: string): Json => ({ type: "summary_text", text });

/** Output items. An item with status `in_progress` is still empty. */
export const messageItem = (id: string, content: readonly Json[] | undefined): Json => ({
  id,
  type: "message",
  status: content === undefined ? "in_progress" : "completed",
  role: "assistant",
  content: content ?? [],
});
export const reasoningItem = (id: string, text: string | undefined, seal: Json = {}): Json => ({
  id,
  type: "reasoning",
  summary: text === undefined || text === "" ? [] : [summaryPart(text)],
  ...seal,
});
