import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, toRows } from "../../sdk-coverage/coverage-table.ts";
import { NOON, getMessage } from "./message-fixtures.ts";
import { SERVER_TOOL, SERVER_TOOL_BLOCKS } from "./server-tool-blocks.ts";

const WITHOUT = getMessage({});

/** The blocks that Claude returns. */
export const RESPONSE_CONTENT: CoverageTable = {
  title: "Messages: content blocks of responses",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaContentBlock", members: "variants" },
  trial: {
    kind: "response",
    without: WITHOUT,
    place: (block: Json) =>
      getMessage({
        content: block["type"] === "tool_use" ? [NOON, block] : [block, NOON],
        stop_reason: block["type"] === "tool_use" ? "tool_use" : "end_turn",
      }),
  },
  rows: {
    text: {
      example: { type: "text", text: "Noon, to be exact. ", citations: null },
      "openai-chat": converted("`content`"),
      "openai-responses": converted("an `output_text` part"),
      gemini: converted("a text part"),
    },
    thinking: {
      example: { type: "thinking", thinking: "The clock says so.", signature: "c2ln" },
      "openai-chat": converted("`reasoning_content`, its signature in `reasoning_details`"),
      "openai-responses": converted(
        "a `reasoning` item, its signature in `encrypted_content` where the caller includes it",
      ),
      gemini: converted("a part with `thought`, its signature on the next call"),
    },
    redacted_thinking: {
      example: { type: "redacted_thinking", data: "ZW5j" },
      "openai-chat": converted("`reasoning_details`"),
      "openai-responses": leftOut("it is for the model; in `encrypted_content` where the caller includes it"),
      gemini: leftOut("it is for the model; it is returned with the next call"),
    },
    tool_use: {
      example: { type: "tool_use", id: "toolu_1", name: "clock", input: { zone: "UTC" } },
      "openai-chat": converted("`tool_calls`"),
      "openai-responses": converted("a `function_call` item"),
      gemini: converted("`functionCall`"),
    },
    ...toRows(SERVER_TOOL_BLOCKS, SERVER_TOOL),
    container_upload: {
      example: { type: "container_upload", file_id: "file_1" },
      ...everywhere(leftOut("a file of code execution, which no converted call requests")),
    },
    compaction: {
      example: { type: "compaction", content: "The user asked for the time.", encrypted_content: null },
      ...everywhere(
        leftOut("a summary for the next request, which no converted call requests; its tokens are charged"),
      ),
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

const CITED = "It is noon.";

/** What a text cites. */
export const CITATIONS: CoverageTable = {
  title: "Messages: citations",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaTextCitation", members: "variants" },
  trial: {
    kind: "response",
    without: WITHOUT,
    place: (citation: Json) => getMessage({ content: [{ ...NOON, citations: [citation] }] }),
  },
  rows: {
    char_location: {
      example: {
        type: "char_location",
        cited_text: CITED,
        document_index: 0,
        document_title: "a.txt",
        file_id: null,
        start_char_index: 0,
        end_char_index: 11,
      },
      ...everywhere(leftOut("Claude cites documents where the caller enables it, and no converted call does")),
    },
    page_location: {
      example: {
        type: "page_location",
        cited_text: CITED,
        document_index: 0,
        document_title: "a.pdf",
        file_id: null,
        start_page_number: 1,
        end_page_number: 2,
      },
      ...everywhere(leftOut("Claude cites documents where the caller enables it, and no converted call does")),
    },
    content_block_location: {
      example: {
        type: "content_block_location",
        cited_text: CITED,
        document_index: 0,
        document_title: null,
        file_id: null,
        start_block_index: 0,
        end_block_index: 1,
      },
      ...everywhere(leftOut("Claude cites documents where the caller enables it, and no converted call does")),
    },
    web_search_result_location: {
      example: {
        type: "web_search_result_location",
        url: "https://a.example",
        title: "Clocks",
        cited_text: CITED,
        encrypted_index: "ZW5j",
      },
      "openai-chat": converted("a `url_citation` annotation"),
      "openai-responses": converted("a `url_citation` annotation"),
      gemini: converted("`groundingMetadata`"),
    },
    search_result_location: {
      example: {
        type: "search_result_location",
        source: "https://a.example",
        title: "Clocks",
        cited_text: CITED,
        search_result_index: 0,
        start_block_index: 0,
        end_block_index: 1,
      },
      ...everywhere(leftOut("Claude cites documents where the caller enables it, and no converted call does")),
    },
  },
};
