import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getChunks, getCompletion, MESSAGE } from "./completion-bodies.ts";

const CALL = { id: "call_1", type: "function", function: { name: "search", arguments: '{"id":1234567890123456789}' } };
const CITED = {
  type: "url_citation",
  url_citation: { start_index: 0, end_index: 5, title: "A", url: "https://a.example" },
};

const REFUSAL = {
  "openai-responses": converted("a `refusal` part"),
  "anthropic-messages": converted("text, and the stop reason `refusal`"),
  gemini: converted("text, and the finish reason `SAFETY`"),
};
const CALLS = {
  "openai-responses": converted("`function_call`"),
  "anthropic-messages": converted("`tool_use`"),
  gemini: converted("`functionCall`"),
};
const CITATIONS = {
  "openai-responses": converted("`annotations` of the text"),
  "anthropic-messages": converted("citations"),
  gemini: converted("`groundingMetadata`"),
};

/** The fields of a response's message. */
export const MESSAGE_FIELDS: CoverageTable = {
  title: "Chat: fields of a response's message",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionMessage", members: "fields" },
  trial: {
    kind: "response",
    without: getCompletion(MESSAGE),
    place: (fields: Json) => getCompletion({ ...MESSAGE, ...fields }, fields["tool_calls"] ? "tool_calls" : "stop"),
  },
  rows: {
    role: { example: { role: "assistant" }, ...everywhere(leftOut("it is always the assistant's")) },
    content: { example: { content: "Hello there" }, ...everywhere(converted("text")) },
    refusal: { example: { content: null, refusal: "I cannot help with that." }, ...REFUSAL },
    annotations: { example: { annotations: [CITED] }, ...CITATIONS },
    audio: {
      example: { audio: { id: "audio_1", data: "UklGRg==", expires_at: 9, transcript: "Hello" } },
      ...everywhere(leftOut("calls of other dialects cannot request audio; its tokens are charged")),
    },
    function_call: { example: { content: null, function_call: { name: "search", arguments: "{}" } }, ...CALLS },
    tool_calls: { example: { content: null, tool_calls: [CALL] }, ...CALLS },
  },
};

/** What the text of a response refers to. */
export const ANNOTATIONS: CoverageTable = {
  title: "Chat: annotations",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionMessage", path: ["annotations"], members: "variants" },
  trial: {
    kind: "response",
    without: getCompletion(MESSAGE),
    place: (annotation: object) => getCompletion({ ...MESSAGE, annotations: [annotation] }),
  },
  rows: { url_citation: { example: CITED, ...CITATIONS } },
};

const CUT = {
  "openai-responses": converted("`incomplete` with `max_output_tokens`"),
  "anthropic-messages": converted("`max_tokens`"),
  gemini: converted("`MAX_TOKENS`"),
};
const FILTERED = {
  "openai-responses": converted("`incomplete` with `content_filter`"),
  "anthropic-messages": converted("`refusal`"),
  gemini: converted("`SAFETY`"),
};
/** The examples have no calls: those are among the fields of the message and the delta. */
const LOST_CALLS = everywhere(
  converted("a response that was cut, if it has no call; without output it is refused with 502"),
);

/** Why a choice ended. */
export const FINISH_REASONS: CoverageTable = {
  title: "Chat: finish reasons",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletion.Choice", path: ["finish_reason"], members: "values" },
  trial: {
    kind: "response",
    without: getCompletion(MESSAGE),
    place: (reason: string) => getCompletion(MESSAGE, reason),
  },
  rows: {
    stop: {
      example: "stop",
      without: getCompletion(MESSAGE, "length"),
      "openai-responses": converted("`completed`"),
      "anthropic-messages": converted("`end_turn`"),
      gemini: converted("`STOP`"),
    },
    length: { example: "length", ...CUT },
    content_filter: { example: "content_filter", ...FILTERED },
    tool_calls: { example: "tool_calls", ...LOST_CALLS },
    function_call: { example: "function_call", ...LOST_CALLS },
  },
};

/** Why a choice of a stream ended. */
export const CHUNK_FINISH_REASONS: CoverageTable = {
  ...FINISH_REASONS,
  title: "Chat: finish reasons of streams",
  union: {
    declarations: "openai-chat",
    type: "ChatCompletionChunk.Choice",
    path: ["finish_reason"],
    members: "values",
  },
  trial: {
    kind: "stream",
    without: getChunks([{ role: "assistant", content: "Hello" }]),
    place: (reason: string) => getChunks([{ role: "assistant", content: "Hello" }], reason),
  },
  rows: {
    ...FINISH_REASONS.rows,
    stop: { ...FINISH_REASONS.rows["stop"], example: "stop", without: getChunks([{ content: "Hello" }], "length") },
  },
};

/** The fields of a delta. */
export const DELTA_FIELDS: CoverageTable = {
  title: "Chat: fields of a delta",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionChunk.Choice.Delta", members: "fields" },
  trial: {
    kind: "stream",
    without: getChunks([{ role: "assistant", content: "Hello" }]),
    place: (delta: Json) => getChunks([{ role: "assistant", content: "Hello" }, delta]),
  },
  rows: {
    role: { example: { role: "assistant" }, ...everywhere(leftOut("it is always the assistant's")) },
    content: { example: { content: " there" }, ...everywhere(converted("a delta of text")) },
    refusal: { example: { refusal: "I cannot help with that." }, ...REFUSAL },
    function_call: { example: { function_call: { name: "search", arguments: "{}" } }, ...CALLS },
    tool_calls: { example: { tool_calls: [{ index: 0, ...CALL }] }, ...CALLS },
  },
};
