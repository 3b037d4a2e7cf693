import type { Json } from "../../../core/chat/chat.ts";
import {
  type CoverageTable,
  converted,
  everywhere,
  leftOut,
  refused,
  toRows,
} from "../../sdk-coverage/coverage-table.ts";
import { NOON, CALL, getBody, PDF, PIXEL, QUESTION, RESULT } from "./request-fixtures.ts";
import { SERVER_TOOL, SERVER_TOOL_BLOCKS } from "./server-tool-blocks.ts";

const BY_USER: ReadonlySet<unknown> = new Set([
  "text",
  "image",
  "document",
  "search_result",
  "container_upload",
  "tool_addition",
  "tool_removal",
]);

function place(block: Json): Json {
  if (block["type"] === "tool_use") return getBody([NOON, block], [RESULT, QUESTION]);
  if (block["type"] === "tool_result") return getBody([NOON, CALL], [block, QUESTION]);
  return BY_USER.has(block["type"]) ? getBody([NOON], [block, QUESTION]) : getBody([block, NOON], [QUESTION]);
}

/** The blocks of a conversation that a caller sends. */
export const REQUEST_CONTENT: CoverageTable = {
  title: "Messages: content blocks of requests",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaContentBlockParam", members: "variants" },
  trial: { kind: "request", without: getBody([NOON], [QUESTION]), place },
  rows: {
    text: { example: { type: "text", text: "Look at the clock.", citations: null }, ...everywhere(converted("text")) },
    image: {
      example: { type: "image", source: PIXEL },
      "openai-chat": converted("an `image_url` part"),
      "openai-responses": converted("an `input_image` part"),
      gemini: converted("`inlineData`"),
    },
    document: {
      example: {
        type: "document",
        source: PDF,
        title: "a.pdf",
        context: "From the archive",
        citations: { enabled: true },
      },
      "openai-chat": converted("a file part, with its context as text"),
      "openai-responses": converted("an `input_file` part, with its context as text"),
      gemini: converted("`inlineData`, with its context as text"),
    },
    search_result: {
      example: {
        type: "search_result",
        source: "https://a.example",
        title: "Clocks",
        content: [{ type: "text", text: "A clock shows the time." }],
        citations: { enabled: true },
      },
      ...everywhere(converted("text: title, source, content")),
    },
    thinking: {
      example: { type: "thinking", thinking: "A clock is needed.", signature: "c2ln" },
      "openai-chat": leftOut("OpenAI's models take no reasoning of others; DeepSeek and OpenRouter get it back"),
      "openai-responses": leftOut("OpenAI's models take no reasoning of others"),
      gemini: leftOut("Gemini reads the signatures of its own models alone"),
    },
    redacted_thinking: {
      example: { type: "redacted_thinking", data: "ZW5j" },
      "openai-chat": leftOut("OpenAI's models take no reasoning of others; OpenRouter gets it back"),
      "openai-responses": leftOut("OpenAI's models take no reasoning of others"),
      gemini: leftOut("Gemini reads the signatures of its own models alone"),
    },
    tool_use: {
      example: CALL,
      "openai-chat": converted("`tool_calls`"),
      "openai-responses": converted("a `function_call` item"),
      gemini: converted("`functionCall`"),
    },
    tool_result: {
      example: {
        type: "tool_result",
        tool_use_id: "toolu_1",
        content: [{ type: "text", text: "no clock" }],
        is_error: true,
      },
      without: getBody([NOON, CALL], [{ ...RESULT, content: "" }, QUESTION]),
      "openai-chat": converted("a tool message; OpenAI has no field for a failed tool; the text reports it"),
      "openai-responses": converted(
        "a `function_call_output` item; OpenAI has no field for a failed tool; the text reports it",
      ),
      gemini: converted("`functionResponse`, a failure as `error`"),
    },
    ...toRows(SERVER_TOOL_BLOCKS, SERVER_TOOL),
    container_upload: {
      example: { type: "container_upload", file_id: "file_1" },
      ...everywhere(refused("the file is in a container of Anthropic's, and the model would respond without it")),
    },
    compaction: {
      example: { type: "compaction", content: "The user asked for the time.", encrypted_content: null },
      ...everywhere(converted("its summary as text, and the conversation from there on")),
    },
    tool_addition: {
      example: {
        type: "tool_addition",
        tool: {
          type: "tool_definition",
          definition: { name: "alarm", input_schema: { type: "object", properties: {} } },
        },
      },
      ...everywhere(converted("the tool joins `tools`")),
    },
    tool_removal: {
      example: { type: "tool_removal", tool: { type: "tool_reference", name: "clock" } },
      ...everywhere(converted("the tool leaves `tools`")),
    },
    fallback: {
      example: {
        type: "fallback",
        from: { model: "claude-opus-4-7" },
        to: { model: "claude-sonnet-4-5" },
        trigger: { type: "refusal", category: "cyber" },
      },
      ...everywhere(leftOut("it marks that another Claude model went on; what that model wrote is in the text")),
    },
  },
};
