import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";

const RUNNING = { status: "in_progress", output: [], usage: null };
const CREATED = { type: "response.created", response: getResponse(RUNNING) };

const inItem = (type: string, fields: Json = {}): Json => ({ type, item_id: "item_1", output_index: 0, ...fields });
const added = (item: Json): Json => ({ type: "response.output_item.added", output_index: 0, item });
const done = (item: Json): Json => ({ type: "response.output_item.done", output_index: 0, item });
const end = (...output: readonly Json[]): Json => ({
  type: "response.completed",
  response: getResponse({ output: output.length === 0 ? [MESSAGE] : output }),
});

const number = (events: readonly Json[]): Json[] => events.map((event, at) => ({ ...event, sequence_number: at }));
/** A whole stream around some events. */
const stream = (...events: readonly Json[]): Json[] => number([CREATED, ...events, end()]);

/** The events of a message, of which some may be missing. */
const PART = { type: "output_text", text: "", annotations: [], logprobs: [] };
const MESSAGE_ADDED = added({ ...MESSAGE, status: "in_progress", content: [] });
const PART_ADDED = inItem("response.content_part.added", { content_index: 0, part: PART });
const DELTA = inItem("response.output_text.delta", { content_index: 0, delta: "Hello", logprobs: [] });
const TEXT_DONE = inItem("response.output_text.done", { content_index: 0, text: "Hello", logprobs: [] });
const PART_DONE = inItem("response.content_part.done", { content_index: 0, part: { ...PART, text: "Hello" } });
const WHOLE = [MESSAGE_ADDED, PART_ADDED, DELTA, TEXT_DONE, PART_DONE, done(MESSAGE)];
const without = (event: Json): Json[] => stream(...WHOLE.filter((one) => one !== event));

/** An event next to a whole message. */
const next = (...events: readonly Json[]): Json[] => stream(...WHOLE, ...events);

const CALL = { type: "function_call", id: "item_1", call_id: "call_1", name: "search", status: "completed" };
const CALL_ADDED = added({ ...CALL, status: "in_progress", arguments: "" });
const ARGUMENTS = '{"q":"rent"}';
const CUSTOM = { type: "custom_tool_call", id: "item_1", call_id: "call_1", name: "sql", status: "completed" };
const CUSTOM_ADDED = added({ ...CUSTOM, status: "in_progress", input: "" });
const REASONING_ADDED = added({ type: "reasoning", id: "item_1", summary: [] });
const REFUSAL_ADDED = inItem("response.content_part.added", {
  content_index: 0,
  part: { type: "refusal", refusal: "" },
});

const TEXT = {
  "openai-chat": converted("a chunk with `content`"),
  "anthropic-messages": converted("`text_delta`"),
  gemini: converted("a chunk with a text part"),
};
const REFUSAL = {
  "openai-chat": converted("a chunk with `refusal`, once"),
  "anthropic-messages": converted("`text_delta`, and the stop reason `refusal`"),
  gemini: converted("a chunk with a text part, and the finish reason `SAFETY`"),
};
const REASONING = {
  "openai-chat": converted("a chunk with `reasoning_content`, once"),
  "anthropic-messages": converted("`thinking_delta`, once"),
  gemini: converted("a chunk with a part that has `thought`, once"),
};
const ARGUMENTS_DELTA = {
  "openai-chat": converted("a chunk with `arguments`, once"),
  "anthropic-messages": converted("`input_json_delta`, once"),
  gemini: converted("a part of the call's `args`"),
};
const OPENS = everywhere(leftOut("it opens or closes a part; the events of the part's text say the same"));
const TOOL_PROGRESS = everywhere(
  leftOut("progress of a tool that the provider runs; the item that is done is charged"),
);
const NOT_OFFERED = everywhere(leftOut("progress of a tool that calls of other dialects cannot offer"));
const AUDIO = everywhere(leftOut("calls of other dialects cannot request audio from this API"));
const BEFORE_START = everywhere(leftOut("nothing was generated yet"));

const progress = (type: string, fields: Json = {}) => ({ example: next(inItem(type, fields)) });

/** The events of a stream. */
export const STREAM_EVENTS: CoverageTable = {
  title: "Responses: stream events",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseStreamEvent", members: "variants" },
  trial: { kind: "stream", without: stream(...WHOLE), place: (events: readonly Json[]) => events },
  rows: {
    "response.created": {
      example: stream(...WHOLE),
      without: number([...WHOLE, end()]),
      "openai-chat": converted("the first chunk, with the role and the id"),
      "anthropic-messages": converted("`message_start`"),
      gemini: leftOut("there is no event of the start"),
    },
    "response.queued": {
      example: number([CREATED, { type: "response.queued", response: getResponse(RUNNING) }, ...WHOLE, end()]),
      ...BEFORE_START,
    },
    "response.in_progress": {
      example: number([CREATED, { type: "response.in_progress", response: getResponse(RUNNING) }, ...WHOLE, end()]),
      ...BEFORE_START,
    },
    "response.completed": {
      example: stream(...WHOLE),
      without: number([
        CREATED,
        ...WHOLE,
        {
          type: "response.incomplete",
          response: getResponse({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }),
        },
      ]),
      ...everywhere(converted("the end, with the usage")),
    },
    "response.incomplete": {
      example: number([
        CREATED,
        ...WHOLE,
        {
          type: "response.incomplete",
          response: getResponse({ status: "incomplete", incomplete_details: { reason: "content_filter" } }),
        },
      ]),
      ...everywhere(converted("the end with the reason, and the usage")),
    },
    "response.failed": {
      example: number([
        CREATED,
        ...WHOLE,
        {
          type: "response.failed",
          response: getResponse({
            status: "failed",
            error: { code: "rate_limit_exceeded", message: "Please try again in 1.5s." },
          }),
        },
      ]),
      "openai-chat": converted("an error chunk; before content, the status of its code. The usage is charged"),
      "anthropic-messages": converted(
        "the `error` event; before content, the status of its code. The usage is charged",
      ),
      gemini: converted("an error chunk; before content, the status of its code. The usage is charged"),
    },
    error: {
      example: number([CREATED, { type: "error", code: "server_error", message: "It failed.", param: null }]),
      ...everywhere(refused("the status of its code; after content, the dialect's error event")),
    },
    "response.output_item.added": {
      example: stream(CALL_ADDED, inItem("response.function_call_arguments.delta", { delta: ARGUMENTS })),
      without: stream(inItem("response.function_call_arguments.delta", { delta: ARGUMENTS })),
      ...everywhere(converted("the start of a call; other items start with their first text")),
    },
    "response.output_item.done": {
      example: stream(done(MESSAGE)),
      without: stream(done({ ...MESSAGE, content: [] })),
      ...everywhere(converted("what no event before had, once")),
    },
    "response.content_part.added": { example: stream(...WHOLE), without: without(PART_ADDED), ...OPENS },
    "response.content_part.done": { example: stream(...WHOLE), without: without(PART_DONE), ...OPENS },
    "response.output_text.delta": {
      example: stream(MESSAGE_ADDED, PART_ADDED, DELTA),
      without: number([CREATED, MESSAGE_ADDED, PART_ADDED, end({ ...MESSAGE, content: [] })]),
      ...TEXT,
    },
    "response.output_text.done": {
      example: stream(MESSAGE_ADDED, PART_ADDED, { ...DELTA, delta: "Hel" }, TEXT_DONE),
      without: stream(MESSAGE_ADDED, PART_ADDED, { ...DELTA, delta: "Hel" }),
      ...everywhere(converted("what the deltas before had not, once")),
    },
    "response.output_text.annotation.added": {
      example: stream(
        MESSAGE_ADDED,
        PART_ADDED,
        DELTA,
        inItem("response.output_text.annotation.added", {
          content_index: 0,
          annotation_index: 0,
          annotation: { type: "url_citation", start_index: 0, end_index: 5, title: "A", url: "https://a.example" },
        }),
        TEXT_DONE,
      ),
      "openai-chat": converted("`annotations` of the last chunk"),
      "anthropic-messages": converted("`citations_delta`"),
      gemini: converted("`groundingMetadata` of the last chunk"),
    },
    "response.refusal.delta": {
      example: stream(
        MESSAGE_ADDED,
        REFUSAL_ADDED,
        inItem("response.refusal.delta", { content_index: 0, delta: "I cannot." }),
        inItem("response.refusal.done", { content_index: 0, refusal: "I cannot." }),
      ),
      without: stream(MESSAGE_ADDED, REFUSAL_ADDED),
      ...REFUSAL,
    },
    "response.refusal.done": {
      example: stream(
        MESSAGE_ADDED,
        REFUSAL_ADDED,
        inItem("response.refusal.done", { content_index: 0, refusal: "I cannot." }),
      ),
      without: stream(MESSAGE_ADDED, REFUSAL_ADDED),
      ...REFUSAL,
    },
    "response.reasoning_summary_part.added": {
      example: next(
        inItem("response.reasoning_summary_part.added", { summary_index: 0, part: { type: "summary_text", text: "" } }),
      ),
      ...OPENS,
    },
    "response.reasoning_summary_part.done": {
      example: next(
        inItem("response.reasoning_summary_part.done", {
          summary_index: 0,
          part: { type: "summary_text", text: "Hm" },
        }),
      ),
      ...OPENS,
    },
    "response.reasoning_summary_text.delta": {
      example: stream(
        REASONING_ADDED,
        inItem("response.reasoning_summary_text.delta", { summary_index: 0, delta: "Hm" }),
      ),
      without: stream(REASONING_ADDED),
      ...REASONING,
    },
    "response.reasoning_summary_text.done": {
      example: stream(
        REASONING_ADDED,
        inItem("response.reasoning_summary_text.done", { summary_index: 0, text: "Hm" }),
      ),
      without: stream(REASONING_ADDED),
      ...REASONING,
    },
    "response.reasoning_text.delta": {
      example: stream(REASONING_ADDED, inItem("response.reasoning_text.delta", { content_index: 0, delta: "Hm" })),
      without: stream(REASONING_ADDED),
      ...REASONING,
    },
    "response.reasoning_text.done": {
      example: stream(REASONING_ADDED, inItem("response.reasoning_text.done", { content_index: 0, text: "Hm" })),
      without: stream(REASONING_ADDED),
      ...REASONING,
    },
    "response.function_call_arguments.delta": {
      example: stream(CALL_ADDED, inItem("response.function_call_arguments.delta", { delta: ARGUMENTS })),
      without: stream(CALL_ADDED),
      ...ARGUMENTS_DELTA,
    },
    "response.function_call_arguments.done": {
      example: stream(
        CALL_ADDED,
        inItem("response.function_call_arguments.done", { name: "search", arguments: ARGUMENTS }),
      ),
      without: stream(CALL_ADDED),
      ...ARGUMENTS_DELTA,
    },
    "response.custom_tool_call_input.delta": {
      example: stream(CUSTOM_ADDED, inItem("response.custom_tool_call_input.delta", { delta: "SELECT 1" })),
      without: stream(CUSTOM_ADDED),
      ...ARGUMENTS_DELTA,
    },
    "response.custom_tool_call_input.done": {
      example: stream(CUSTOM_ADDED, inItem("response.custom_tool_call_input.done", { input: "SELECT 1" })),
      without: stream(CUSTOM_ADDED),
      ...ARGUMENTS_DELTA,
    },
    "response.web_search_call.in_progress": { ...progress("response.web_search_call.in_progress"), ...TOOL_PROGRESS },
    "response.web_search_call.searching": { ...progress("response.web_search_call.searching"), ...TOOL_PROGRESS },
    "response.web_search_call.completed": { ...progress("response.web_search_call.completed"), ...TOOL_PROGRESS },
    ...Object.fromEntries(
      [
        "response.code_interpreter_call.in_progress",
        "response.code_interpreter_call.interpreting",
        "response.code_interpreter_call.completed",
        "response.file_search_call.in_progress",
        "response.file_search_call.searching",
        "response.file_search_call.completed",
        "response.image_generation_call.in_progress",
        "response.image_generation_call.generating",
        "response.image_generation_call.completed",
        "response.mcp_call.in_progress",
        "response.mcp_call.completed",
        "response.mcp_call.failed",
        "response.mcp_list_tools.in_progress",
        "response.mcp_list_tools.completed",
        "response.mcp_list_tools.failed",
      ].map((type) => [type, { ...progress(type), ...NOT_OFFERED }]),
    ),
    "response.code_interpreter_call_code.delta": {
      ...progress("response.code_interpreter_call_code.delta", { delta: "print(1)" }),
      ...NOT_OFFERED,
    },
    "response.code_interpreter_call_code.done": {
      ...progress("response.code_interpreter_call_code.done", { code: "print(1)" }),
      ...NOT_OFFERED,
    },
    "response.image_generation_call.partial_image": {
      ...progress("response.image_generation_call.partial_image", {
        partial_image_index: 0,
        partial_image_b64: "iVBORw0KGgo=",
      }),
      ...everywhere(leftOut("a preview of the image, which the item that is done has")),
    },
    "response.mcp_call_arguments.delta": {
      ...progress("response.mcp_call_arguments.delta", { delta: "{}" }),
      ...NOT_OFFERED,
    },
    "response.mcp_call_arguments.done": {
      ...progress("response.mcp_call_arguments.done", { arguments: "{}" }),
      ...NOT_OFFERED,
    },
    "response.audio.delta": { example: next({ type: "response.audio.delta", delta: "UklGRg==" }), ...AUDIO },
    "response.audio.done": { example: next({ type: "response.audio.done" }), ...AUDIO },
    "response.audio.transcript.delta": {
      example: next({ type: "response.audio.transcript.delta", delta: "Hello" }),
      ...AUDIO,
    },
    "response.audio.transcript.done": { example: next({ type: "response.audio.transcript.done" }), ...AUDIO },
  },
};
