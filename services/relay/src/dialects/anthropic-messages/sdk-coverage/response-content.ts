import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { ANSWER, holdMessage } from "./message-fixtures.ts";

const WITHOUT = holdMessage({});
const HOSTED = everywhere(leftOut("Anthropic ran the tool; what the model found is in its text"));

/** The blocks that Claude returns. */
export const RESPONSE_CONTENT: CoverageTable = {
  title: "Messages: content blocks of responses",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaContentBlock", members: "variants" },
  trial: {
    kind: "response",
    without: WITHOUT,
    place: (block: Json) =>
      holdMessage({
        content: block["type"] === "tool_use" ? [ANSWER, block] : [block, ANSWER],
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
    server_tool_use: {
      example: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "time" } },
      ...HOSTED,
    },
    web_search_tool_result: {
      example: {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [
          {
            type: "web_search_result",
            url: "https://a.example",
            title: "Clocks",
            encrypted_content: "ZW5j",
            page_age: null,
          },
        ],
      },
      ...HOSTED,
    },
    web_fetch_tool_result: {
      example: {
        type: "web_fetch_tool_result",
        tool_use_id: "srvtoolu_1",
        content: {
          type: "web_fetch_result",
          url: "https://a.example",
          retrieved_at: null,
          content: {
            type: "document",
            source: { type: "text", media_type: "text/plain", data: "Noon." },
            title: "Clocks",
            citations: null,
          },
        },
      },
      ...HOSTED,
    },
    advisor_tool_result: {
      example: {
        type: "advisor_tool_result",
        tool_use_id: "srvtoolu_1",
        content: { type: "advisor_result", text: "Say noon.", stop_reason: "end_turn" },
      },
      ...HOSTED,
    },
    code_execution_tool_result: {
      example: {
        type: "code_execution_tool_result",
        tool_use_id: "srvtoolu_1",
        content: { type: "code_execution_result", stdout: "12:00", stderr: "", return_code: 0, content: [] },
      },
      ...HOSTED,
    },
    bash_code_execution_tool_result: {
      example: {
        type: "bash_code_execution_tool_result",
        tool_use_id: "srvtoolu_1",
        content: { type: "bash_code_execution_result", stdout: "12:00", stderr: "", return_code: 0, content: [] },
      },
      ...HOSTED,
    },
    text_editor_code_execution_tool_result: {
      example: {
        type: "text_editor_code_execution_tool_result",
        tool_use_id: "srvtoolu_1",
        content: { type: "text_editor_code_execution_create_result", is_file_update: false },
      },
      ...HOSTED,
    },
    tool_search_tool_result: {
      example: {
        type: "tool_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: {
          type: "tool_search_tool_search_result",
          tool_references: [{ type: "tool_reference", tool_name: "clock" }],
        },
      },
      ...HOSTED,
    },
    mcp_tool_use: {
      example: { type: "mcp_tool_use", id: "mcptoolu_1", name: "time", server_name: "clocks", input: {} },
      ...HOSTED,
    },
    mcp_tool_result: {
      example: {
        type: "mcp_tool_result",
        tool_use_id: "mcptoolu_1",
        is_error: false,
        content: [{ type: "text", text: "12:00", citations: null }],
      },
      ...HOSTED,
    },
    mcp_tool_listing: {
      example: {
        type: "mcp_tool_listing",
        mcp_server_name: "clocks",
        tools: [{ name: "time", input_schema: { type: "object" } }],
      },
      ...HOSTED,
    },
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
    place: (citation: Json) => holdMessage({ content: [{ ...ANSWER, citations: [citation] }] }),
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
