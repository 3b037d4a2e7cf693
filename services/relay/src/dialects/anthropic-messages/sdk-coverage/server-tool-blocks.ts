import { everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import type { Json } from "../../../core/chat/chat.ts";

/** The blocks of tools that Anthropic runs: in responses, and in the history of requests. */
export const SERVER_TOOL_BLOCKS: Readonly<Record<string, Json>> = {
  server_tool_use: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "time" } },
  web_search_tool_result: {
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
  web_fetch_tool_result: {
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
  advisor_tool_result: {
    type: "advisor_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "advisor_result", text: "Say noon.", stop_reason: "end_turn" },
  },
  code_execution_tool_result: {
    type: "code_execution_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "code_execution_result", stdout: "12:00", stderr: "", return_code: 0, content: [] },
  },
  bash_code_execution_tool_result: {
    type: "bash_code_execution_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "bash_code_execution_result", stdout: "12:00", stderr: "", return_code: 0, content: [] },
  },
  text_editor_code_execution_tool_result: {
    type: "text_editor_code_execution_tool_result",
    tool_use_id: "srvtoolu_1",
    content: { type: "text_editor_code_execution_create_result", is_file_update: false },
  },
  tool_search_tool_result: {
    type: "tool_search_tool_result",
    tool_use_id: "srvtoolu_1",
    content: {
      type: "tool_search_tool_search_result",
      tool_references: [{ type: "tool_reference", tool_name: "clock" }],
    },
  },
  mcp_tool_use: { type: "mcp_tool_use", id: "mcptoolu_1", name: "time", server_name: "clocks", input: {} },
  mcp_tool_result: {
    type: "mcp_tool_result",
    tool_use_id: "mcptoolu_1",
    is_error: false,
    content: [{ type: "text", text: "12:00", citations: null }],
  },
  mcp_tool_listing: {
    type: "mcp_tool_listing",
    mcp_server_name: "clocks",
    tools: [{ name: "time", input_schema: { type: "object" } }],
  },
};

export const SERVER_TOOL = everywhere(leftOut("Anthropic ran the tool; what the model found is in its text"));
