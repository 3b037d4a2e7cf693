import { z } from "zod";

/**
 * What the Open Responses specification requires of responses, items and events (openresponses/openresponses, OpenAPI document
 * of 2026-01-15: ResponseResource, ItemField, CompactResource, the streaming events and WebSocketErrorEvent).
 */
const integer = z.number().int();
const text = z.string();

const Annotation = z.looseObject({ type: text });
const OutputText = z.looseObject({
  type: z.literal("output_text"),
  text,
  annotations: z.array(Annotation),
  logprobs: z.array(z.unknown()).optional(),
});
const SummaryText = z.looseObject({ type: z.literal("summary_text"), text });
const ReasoningText = z.looseObject({ type: z.literal("reasoning_text"), text });
const Refusal = z.looseObject({ type: z.literal("refusal"), refusal: text });
const Part = z.union([OutputText, SummaryText, ReasoningText, Refusal]);

const status = z.enum(["in_progress", "completed", "incomplete"]);
const Item = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message"),
    id: text,
    status,
    role: z.enum(["user", "assistant", "system", "developer"]),
    content: z.array(z.union([Part, z.looseObject({ type: z.literal("input_text"), text })])),
    phase: z.enum(["commentary", "final_answer"]).optional(),
  }),
  z.looseObject({ type: z.literal("function_call"), id: text, call_id: text, name: text, arguments: text, status }),
  z.looseObject({
    type: z.literal("reasoning"),
    id: text,
    summary: z.array(Part),
    content: z.array(Part).optional(),
    encrypted_content: text.optional(),
  }),
  z.looseObject({ type: z.literal("compaction"), id: text, encrypted_content: text }),
]);

const Usage = z.looseObject({
  input_tokens: integer,
  output_tokens: integer,
  total_tokens: integer,
  input_tokens_details: z.looseObject({ cached_tokens: integer }),
  output_tokens_details: z.looseObject({ reasoning_tokens: integer }),
});

const FunctionTool = z.looseObject({
  type: z.literal("function"),
  name: text,
  description: text.nullable(),
  parameters: z.looseObject({}).nullable(),
  strict: z.boolean().nullable(),
});

const ToolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.looseObject({ type: z.literal("function"), name: text }),
  z.looseObject({ type: z.literal("allowed_tools") }),
]);

export const ResponseObject = z.looseObject({
  id: text.min(1),
  object: z.literal("response"),
  created_at: integer,
  completed_at: integer.nullable(),
  status: text,
  incomplete_details: z.looseObject({ reason: text }).nullable(),
  model: text,
  previous_response_id: text.nullable(),
  instructions: text.nullable(),
  output: z.array(Item),
  error: z.looseObject({ code: text, message: text }).nullable(),
  tools: z.array(FunctionTool),
  tool_choice: ToolChoice,
  truncation: z.enum(["auto", "disabled"]),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: z.looseObject({ type: z.enum(["text", "json_object", "json_schema"]) }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: integer,
  temperature: z.number(),
  reasoning: z.looseObject({ effort: text.nullable(), summary: text.nullable() }).nullable(),
  usage: Usage.nullable(),
  max_output_tokens: integer.nullable(),
  max_tool_calls: integer.nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: text,
  metadata: z.unknown(),
  safety_identifier: text.nullable(),
  prompt_cache_key: text.nullable(),
});

export const CompactObject = z.looseObject({
  id: text,
  object: z.literal("response.compaction"),
  created_at: integer,
  output: z.array(Item),
  usage: Usage,
});

const event = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.looseObject({ type: z.literal(type), sequence_number: integer, ...fields });
const inItem = { item_id: text, output_index: integer };
const inContent = { ...inItem, content_index: integer };
const inSummary = { ...inItem, summary_index: integer };
const ofOutput = { output_index: integer, item: Item.nullable() };
const response = { response: ResponseObject };

export const StreamingEvent = z.discriminatedUnion("type", [
  event("response.created", response),
  event("response.queued", response),
  event("response.in_progress", response),
  event("response.completed", response),
  event("response.failed", response),
  event("response.incomplete", response),
  event("response.output_item.added", ofOutput),
  event("response.output_item.done", ofOutput),
  event("response.content_part.added", { ...inContent, part: Part }),
  event("response.content_part.done", { ...inContent, part: Part }),
  event("response.output_text.delta", { ...inContent, delta: text }),
  event("response.output_text.done", { ...inContent, text }),
  event("response.output_text.annotation.added", {
    ...inContent,
    annotation_index: integer,
    annotation: Annotation.nullable(),
  }),
  event("response.refusal.delta", { ...inContent, delta: text }),
  event("response.refusal.done", { ...inContent, refusal: text }),
  event("response.function_call_arguments.delta", { ...inItem, delta: text }),
  event("response.function_call_arguments.done", { ...inItem, arguments: text }),
  event("response.reasoning.delta", { ...inContent, delta: text }),
  event("response.reasoning.done", { ...inContent, text }),
  event("response.reasoning_summary_part.added", { ...inSummary, part: Part }),
  event("response.reasoning_summary_part.done", { ...inSummary, part: Part }),
  event("response.reasoning_summary_text.delta", { ...inSummary, delta: text }),
  event("response.reasoning_summary_text.done", { ...inSummary, text }),
]);

/** An error as a frame of a WebSocket. */
export const SocketError = z.looseObject({
  type: z.literal("error"),
  status: integer,
  error: z.looseObject({ type: text.optional(), code: text, message: text, param: text.nullable().optional() }),
});
