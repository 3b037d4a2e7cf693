import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { Citation, FinishReason, Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { inputOfArguments } from "./custom-tools.ts";
import { annotationsOf } from "./responses-web-search.ts";

/** The incomplete reason for each finish reason of an unfinished response. */
const INCOMPLETE: Readonly<Partial<Record<FinishReason, string>>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
};

/** Whether a finish reason means that the response is incomplete. */
export const isIncomplete = (reason: FinishReason): boolean => INCOMPLETE[reason] !== undefined;

/** Marks the item that was being written when the response was cut off; reasoning items have no status. */
export const asCut = (item: Json): Json => (item["status"] === undefined ? item : { ...item, status: "incomplete" });

/** Whether an input item refers to an item of an earlier response; its type is optional. */
export const isReference = (item: Json): boolean =>
  item["type"] === "item_reference" || ((item["type"] ?? item["role"] ?? undefined) === undefined && "id" in item);

/** The id prefix of reasoning items. */
export const REASONING_ID = "rs_";

function responsesUsage(reported: ReportedUsage): Json {
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
  "max_output_tokens",
  "metadata",
  "parallel_tool_calls",
  "prompt_cache_key",
  "safety_identifier",
  "temperature",
  "tool_choice",
  "top_p",
  "truncation",
  "user",
] as const;

/** The request fields that a response repeats. Instructions and tools are too long to be sent back. */
function repeated({ asked = {} }: ResponseContext): Json {
  const given = REPEATED.flatMap((name) => (asked[name] === undefined || asked[name] === null ? [] : [name]));
  return {
    ...Object.fromEntries(given.map((name) => [name, asked[name]])),
    reasoning: { effort: null, summary: null, ...asObject(asked["reasoning"]) },
    text: { format: { type: "text" }, ...asObject(asked["text"]) },
  };
}

/** The common fields of every response object in any state. Nothing is stored here, so no response can be continued. */
const envelope = (context: ResponseContext): Json => ({
  id: `resp_${context.requestId}`,
  object: "response",
  created_at: context.createdAtSeconds,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: context.model,
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
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
    incomplete_details: reason === undefined ? null : { reason },
    output: end.output,
    usage: responsesUsage(end.usage),
  };
}

export const textPart = (text: string, citations: readonly Citation[] = []): Json => ({
  type: "output_text",
  text,
  annotations: annotationsOf(citations),
  logprobs: [],
});
export const summaryPart = (text: string): Json => ({ type: "summary_text", text });

/** Output items. An item with status `in_progress` is still empty. */
export const messageItem = (id: string, text: string | undefined, citations?: readonly Citation[]): Json => ({
  id,
  type: "message",
  status: text === undefined ? "in_progress" : "completed",
  role: "assistant",
  content: text === undefined ? [] : [textPart(text, citations)],
});
export const reasoningItem = (id: string, text: string | undefined, seal: Json = {}): Json => ({
  id,
  type: "reasoning",
  summary: text === undefined || text === "" ? [] : [summaryPart(text)],
  ...seal,
});

type CallOfItem = { readonly id: string; readonly name: string; readonly argumentsText: string | undefined };
const calledBy = (call: CallOfItem): Json => ({
  status: call.argumentsText === undefined ? "in_progress" : "completed",
  call_id: call.id,
  name: call.name,
});
export const callItem = (id: string, call: CallOfItem): Json => ({
  id,
  type: "function_call",
  ...calledBy(call),
  arguments: call.argumentsText ?? "",
});
/** The item of a custom tool call. */
export const customItem = (id: string, call: CallOfItem): Json => ({
  id,
  type: "custom_tool_call",
  ...calledBy(call),
  input: call.argumentsText === undefined ? "" : inputOfArguments(call.argumentsText),
});
