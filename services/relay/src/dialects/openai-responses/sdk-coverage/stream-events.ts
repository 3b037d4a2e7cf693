import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";
import {
  added,
  CREATED,
  DELTA,
  done,
  end,
  inItem,
  MESSAGE_ADDED,
  next,
  number,
  PART_ADDED,
  PART_DONE,
  RUNNING,
  stream,
  TEXT_DONE,
  WHOLE,
  without,
} from "./event-streams.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";
import { TOOL_EVENTS } from "./tool-events.ts";

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
const OPENS = everywhere(leftOut("it opens or closes a part; the events of the part's text contain the same"));
const BEFORE_START = everywhere(leftOut("nothing was generated yet"));

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
    ...TOOL_EVENTS,
  },
};
