import { bad, endpoint, reading, tokensUsage } from "./endpoint-format.ts";
import { RESPONSE_FIELDS } from "./response-fields.ts";
import type { PlannedResponse } from "./scenario.ts";
import {
  getParts,
  isRefusal,
  type JsonObject,
  type ReceivedRequest,
  type Refusal,
  type Requested,
} from "./wire-format.ts";

const functionCalls = (response: PlannedResponse): JsonObject[] =>
  response.toolCalls.map((call) => ({
    type: "function_call",
    id: `fc_${call.id}`,
    call_id: call.id,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    status: "completed",
  }));

/** The model's reasoning in the items' form: a summary. */
const reasoningItems = ({ id, reasoning }: PlannedResponse): JsonObject[] =>
  reasoning.length === 0
    ? []
    : [{ type: "reasoning", id: `rs_${id}`, summary: [{ type: "summary_text", text: reasoning.join("") }] }];

/** The final status of a response that was cut short. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};
const getEnd = ({ finish }: PlannedResponse): string => (INCOMPLETE[finish] === undefined ? "completed" : "incomplete");

function response(result: PlannedResponse, status: string): JsonObject {
  const { usage } = result;
  const hasEnded = status !== "in_progress";
  const hasText = result.pieces.length > 0;
  const text = { type: "output_text", text: result.pieces.join(""), annotations: [] };
  const message = { type: "message", id: `msg_${result.id}`, status, role: "assistant", content: [text] };
  return {
    ...RESPONSE_FIELDS,
    id: `resp_${result.id}`,
    object: "response",
    created_at: result.createdAtSeconds,
    completed_at: status === "completed" ? result.createdAtSeconds : null,
    status,
    error: null,
    incomplete_details: status === "incomplete" ? { reason: INCOMPLETE[result.finish] } : null,
    model: result.model,
    output: hasEnded
      ? [...reasoningItems(result), ...result.ownTools, ...(hasText ? [message] : []), ...functionCalls(result)]
      : [],
    ...(usage && hasEnded ? { usage: tokensUsage(usage) } : {}),
    ...(usage?.tier === undefined ? {} : { service_tier: usage.tier }),
  };
}

/** The events of the message, each with its own index in the output. */
function messageEvents(response: PlannedResponse, outputIndex: number): [string, JsonObject][] {
  if (response.pieces.length === 0) return [];
  const item = { type: "message", id: `msg_${response.id}`, role: "assistant" };
  const place = { item_id: item.id, output_index: outputIndex, content_index: 0 };
  const part = { type: "output_text", text: response.pieces.join(""), annotations: [] };
  const begun = { ...item, status: "in_progress", content: [] };
  return [
    ["response.output_item.added", { output_index: outputIndex, item: begun }],
    ["response.content_part.added", { ...place, part: { ...part, text: "" } }],
    ...response.pieces.map((delta): [string, JsonObject] => ["response.output_text.delta", { ...place, delta }]),
    ["response.output_text.done", { ...place, text: part.text }],
    ["response.content_part.done", { ...place, part }],
    [
      "response.output_item.done",
      { output_index: outputIndex, item: { ...item, status: "completed", content: [part] } },
    ],
  ];
}

function reasoningEvents(response: PlannedResponse): [string, JsonObject][] {
  const place = { item_id: `rs_${response.id}`, output_index: 0, summary_index: 0 };
  return reasoningItems(response).flatMap((item): [string, JsonObject][] => [
    ["response.output_item.added", { output_index: 0, item: { ...item, summary: [] } }],
    ...response.reasoning.map((delta): [string, JsonObject] => [
      "response.reasoning_summary_text.delta",
      { ...place, delta },
    ]),
    ["response.output_item.done", { output_index: 0, item }],
  ]);
}

function callEvents(response: PlannedResponse, from: number): [string, JsonObject][] {
  return functionCalls(response).flatMap((item, index): [string, JsonObject][] => {
    const place = { item_id: item["id"], output_index: from + index };
    const begun = { ...item, status: "in_progress", arguments: "" };
    return [
      ["response.output_item.added", { output_index: from + index, item: begun }],
      ...getParts(String(item["arguments"]), 7).map((delta): [string, JsonObject] => [
        "response.function_call_arguments.delta",
        { ...place, delta },
      ]),
      ["response.function_call_arguments.done", { ...place, name: item["name"], arguments: item["arguments"] }],
      ["response.output_item.done", { output_index: from + index, item }],
    ];
  });
}

/** Its streams end with the usage whether or not the caller requests it. */
const readResponse = (request: ReceivedRequest): Requested | Refusal => {
  const requested = reading("input")(request);
  return isRefusal(requested) ? requested : { ...requested, includesUsage: true };
};
/** Some models refuse parameters that others accept. */
const getRefusal = ({ body: { model, stream, temperature } }: ReceivedRequest): Refusal | undefined => {
  if (stream === true && /^(o1|gpt-5)-pro/.test(String(model)))
    return bad("Unsupported value: 'stream' does not support true with this model.");
  return temperature !== undefined && /-pro|codex/.test(String(model))
    ? bad("Unsupported parameter: 'temperature' is not supported with this model.")
    : undefined;
};

/** OpenAI's Responses API. */
export const responses = endpoint({
  read: (request) => getRefusal(request) ?? readResponse(request),
  whole: (result) => response(result, getEnd(result)),
  frames(result) {
    const before = reasoningItems(result).length;
    const own = result.ownTools.map((item, index): [string, JsonObject] => [
      "response.output_item.done",
      { output_index: before + index, item },
    ]);
    const messageAt = before + own.length;
    const events: [string, JsonObject][] = [
      ["response.created", { response: response(result, "in_progress") }],
      ...reasoningEvents(result),
      ...own,
      ...messageEvents(result, messageAt),
      ...callEvents(result, messageAt + (result.pieces.length > 0 ? 1 : 0)),
      [`response.${getEnd(result)}`, { response: response(result, getEnd(result)) }],
    ];
    return events.map(
      ([type, data], number) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...data })}\n\n`,
    );
  },
  errorFrame: () =>
    'event: error\ndata: {"type":"error","code":"server_error","message":"The server had an error.","param":null}\n\n',
});

/** A compacted conversation: one item that only this account reads. */
export const compaction = endpoint({
  read: readResponse,
  whole: (result) => ({
    id: `resp_${result.id}`,
    object: "response.compaction",
    created_at: result.createdAtSeconds,
    output: [{ id: `cmp_${result.id}`, type: "compaction", encrypted_content: `gAAAA${result.id}` }],
    usage: response(result, "completed")["usage"],
  }),
});
