import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { messageEnd, messageStart, streamBlock, TEXT_BLOCK, textDelta } from "./message-fixtures.ts";

const TEXT = streamBlock(0, TEXT_BLOCK, [textDelta("It is noon.")]);
const WHOLE = [messageStart(), ...TEXT, ...messageEnd()];
const CALL_START = { type: "tool_use", id: "toolu_1", name: "clock", input: {} };

/** The events of a stream; each is compared with the stream that lacks it. */
export const STREAM_EVENTS: CoverageTable = {
  title: "Messages: stream events",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaRawMessageStreamEvent", members: "variants" },
  trial: { kind: "stream", without: WHOLE, place: (events: readonly Json[]) => events },
  rows: {
    message_start: {
      example: WHOLE,
      without: WHOLE.slice(1),
      "openai-chat": converted("the first chunk, with the role; its usage is charged"),
      "openai-responses": converted("`response.created`, `response.in_progress`; its usage is charged"),
      gemini: converted("the usage of the last chunk"),
    },
    content_block_start: {
      example: [
        messageStart(),
        { type: "content_block_start", index: 0, content_block: CALL_START },
        ...WHOLE.slice(3),
      ],
      without: [messageStart(), ...WHOLE.slice(3)],
      "openai-chat": converted("the first chunk of a call"),
      "openai-responses": converted("`response.output_item.added`"),
      gemini: converted("a `functionCall`, when its arguments are complete"),
    },
    content_block_delta: {
      example: WHOLE,
      without: [messageStart(), ...streamBlock(0, TEXT_BLOCK, []), ...messageEnd()],
      "openai-chat": converted("chunks with `content`"),
      "openai-responses": converted("`response.output_text.delta`"),
      gemini: converted("chunks with text"),
    },
    content_block_stop: {
      example: WHOLE,
      without: WHOLE.filter(({ type }) => type !== "content_block_stop"),
      ...everywhere(leftOut("a block ends where the next one begins, or the message does")),
    },
    message_delta: {
      example: WHOLE,
      without: WHOLE.filter(({ type }) => type !== "message_delta"),
      "openai-chat": converted("the finish reason, and the usage"),
      "openai-responses": converted("the end of the response, and the usage"),
      gemini: converted("`finishReason` and `usageMetadata`"),
    },
    message_stop: {
      example: WHOLE,
      without: WHOLE.filter(({ type }) => type !== "message_stop"),
      ...everywhere(converted("the end; without it the stream broke off, and an error is sent")),
    },
  },
};

const stream = (...blocks: readonly Json[]): Json[] => [messageStart(), ...blocks, ...messageEnd()];
const oneBlock = (block: Json, deltas: readonly Json[]): Json[] =>
  stream(...streamBlock(0, block, deltas), ...streamBlock(1, TEXT_BLOCK, [textDelta("Noon.")]));
const SEARCHED = {
  type: "web_search_result_location",
  url: "https://a.example",
  title: "Clocks",
  cited_text: "Noon.",
  encrypted_index: "ZW5j",
};
const THINKING = { type: "thinking", thinking: "", signature: "" };
const THINKING_DELTA = { type: "thinking_delta", thinking: "The clock says so." };

/** The pieces of content blocks; each is compared with the same block without the piece. */
export const DELTAS: CoverageTable = {
  title: "Messages: deltas of content blocks",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaRawContentBlockDeltaEvent", path: ["delta"], members: "variants" },
  trial: { kind: "stream", without: WHOLE, place: (events: readonly Json[]) => events },
  rows: {
    text_delta: {
      example: oneBlock(TEXT_BLOCK, [textDelta("It is ")]),
      without: oneBlock(TEXT_BLOCK, []),
      "openai-chat": converted("`content`"),
      "openai-responses": converted("`response.output_text.delta`"),
      gemini: converted("text"),
    },
    input_json_delta: {
      example: oneBlock(CALL_START, [{ type: "input_json_delta", partial_json: '{"zone":"UTC"}' }]),
      without: oneBlock(CALL_START, []),
      "openai-chat": converted("`tool_calls` with arguments"),
      "openai-responses": converted("`response.function_call_arguments.delta`"),
      gemini: converted("`args` of the call"),
    },
    citations_delta: {
      example: oneBlock(TEXT_BLOCK, [textDelta("It is "), { type: "citations_delta", citation: SEARCHED }]),
      without: oneBlock(TEXT_BLOCK, [textDelta("It is ")]),
      "openai-chat": converted("`annotations`"),
      "openai-responses": converted("`response.output_text.annotation.added`"),
      gemini: converted("`groundingMetadata`"),
    },
    thinking_delta: {
      example: oneBlock(THINKING, [THINKING_DELTA]),
      without: oneBlock(THINKING, []),
      "openai-chat": converted("`reasoning_content`"),
      "openai-responses": converted("`response.reasoning_summary_text.delta`"),
      gemini: converted("text with `thought`"),
    },
    signature_delta: {
      example: oneBlock(THINKING, [THINKING_DELTA, { type: "signature_delta", signature: "c2ln" }]),
      without: oneBlock(THINKING, [THINKING_DELTA]),
      "openai-chat": converted("`reasoning_details`"),
      "openai-responses": leftOut("it is for the model; in `encrypted_content` where the caller includes it"),
      gemini: leftOut("it is for the model; it is returned with the next call"),
    },
    compaction_delta: {
      example: oneBlock({ type: "compaction", content: null, encrypted_content: null }, [
        { type: "compaction_delta", content: "The user asked for the time.", encrypted_content: null },
      ]),
      without: oneBlock({ type: "compaction", content: null, encrypted_content: null }, []),
      ...everywhere(
        leftOut("a summary for the next request, which no converted call requests; its tokens are charged"),
      ),
    },
  },
};
