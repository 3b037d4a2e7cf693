import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getResponse, MESSAGE } from "./response-bodies.ts";

const getBody = (...items: readonly object[]) => getResponse({ output: [...items, MESSAGE] });

const CHARGED = everywhere(
  converted("no item, since the text contains what it yielded; the run of the tool is charged"),
);
const NOT_OFFERED = everywhere(
  leftOut("the item belongs to a tool that calls of other dialects cannot offer; its tokens are charged"),
);

/** The items of a response's output. */
export const OUTPUT_ITEMS: CoverageTable = {
  title: "Responses: output items",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseOutputItem", members: "variants" },
  trial: { kind: "response", without: getBody(), place: (example: object) => getBody(example) },
  rows: {
    message: {
      example: { ...MESSAGE, id: "msg_0", content: [{ type: "output_text", text: "First. ", annotations: [] }] },
      "openai-chat": converted("the text of the message"),
      "anthropic-messages": converted("a text block"),
      gemini: converted("a text part"),
    },
    reasoning: {
      example: {
        type: "reasoning",
        id: "rs_1",
        summary: [
          { type: "summary_text", text: "**A greeting**" },
          { type: "summary_text", text: "**An answer**" },
        ],
      },
      "openai-chat": converted("`reasoning_content`"),
      "anthropic-messages": converted("a thinking block without a signature"),
      gemini: converted("a part with `thought`"),
    },
    function_call: {
      example: {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "search",
        arguments: '{"id":1234567890123456789}',
        status: "completed",
      },
      ...everywhere(converted("a call, and the finish reason of calls")),
    },
    custom_tool_call: {
      example: { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "sql", input: "SELECT 1" },
      ...everywhere(converted("a call, and the finish reason of calls")),
    },
    web_search_call: {
      example: {
        type: "web_search_call",
        id: "ws_1",
        status: "completed",
        action: { type: "search", query: "weather" },
      },
      ...CHARGED,
    },
    file_search_call: {
      example: { type: "file_search_call", id: "fs_1", status: "completed", queries: ["rent"], results: null },
      ...CHARGED,
    },
    code_interpreter_call: {
      example: {
        type: "code_interpreter_call",
        id: "ci_1",
        status: "completed",
        code: "print(1)",
        container_id: "cntr_1",
        outputs: null,
      },
      ...CHARGED,
    },
    image_generation_call: {
      example: { type: "image_generation_call", id: "ig_1", status: "completed", result: "iVBORw0KGgo=" },
      "openai-chat": converted("an image in Markdown; it is charged"),
      "anthropic-messages": converted("an image in Markdown; it is charged"),
      gemini: converted("`inlineData`; it is charged"),
    },
    additional_tools: {
      example: { type: "additional_tools", id: "at_1", role: "developer", tools: [] },
      ...NOT_OFFERED,
    },
    apply_patch_call: {
      example: {
        type: "apply_patch_call",
        id: "apc_1",
        call_id: "call_1",
        status: "completed",
        operation: { type: "delete_file", path: "a.txt" },
      },
      ...NOT_OFFERED,
    },
    apply_patch_call_output: {
      example: { type: "apply_patch_call_output", id: "apco_1", call_id: "call_1", status: "completed" },
      ...NOT_OFFERED,
    },
    compaction: { example: { type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" }, ...NOT_OFFERED },
    computer_call: {
      example: {
        type: "computer_call",
        id: "cu_1",
        call_id: "call_1",
        status: "completed",
        pending_safety_checks: [],
        actions: [{ type: "screenshot" }],
      },
      ...NOT_OFFERED,
    },
    computer_call_output: {
      example: {
        type: "computer_call_output",
        id: "cuo_1",
        call_id: "call_1",
        status: "completed",
        output: { type: "computer_screenshot", image_url: "data:image/png;base64,iVBORw0KGgo=" },
      },
      ...NOT_OFFERED,
    },
    custom_tool_call_output: {
      example: {
        type: "custom_tool_call_output",
        id: "ctco_1",
        call_id: "call_1",
        status: "completed",
        output: "1 row",
      },
      ...NOT_OFFERED,
    },
    function_call_output: {
      example: { type: "function_call_output", id: "fco_1", call_id: "call_1", status: "completed", output: "sunny" },
      ...NOT_OFFERED,
    },
    local_shell_call: {
      example: {
        type: "local_shell_call",
        id: "lsh_1",
        call_id: "call_1",
        status: "completed",
        action: { type: "exec", command: ["ls"], env: {} },
      },
      ...NOT_OFFERED,
    },
    local_shell_call_output: {
      example: { type: "local_shell_call_output", id: "call_1", output: "a.txt" },
      ...NOT_OFFERED,
    },
    mcp_approval_request: {
      example: { type: "mcp_approval_request", id: "mcpr_1", server_label: "docs", name: "find", arguments: "{}" },
      ...NOT_OFFERED,
    },
    mcp_approval_response: {
      example: { type: "mcp_approval_response", id: "mcpa_1", approval_request_id: "mcpr_1", approve: true },
      ...NOT_OFFERED,
    },
    mcp_call: {
      example: {
        type: "mcp_call",
        id: "mcp_1",
        server_label: "docs",
        name: "find",
        arguments: "{}",
        output: "page 3",
        status: "completed",
      },
      ...NOT_OFFERED,
    },
    mcp_list_tools: {
      example: { type: "mcp_list_tools", id: "mcpl_1", server_label: "docs", tools: [] },
      ...NOT_OFFERED,
    },
    program: {
      example: { type: "program", id: "prog_1", call_id: "call_p", code: "await search()", fingerprint: "f" },
      ...NOT_OFFERED,
    },
    program_output: {
      example: { type: "program_output", id: "po_1", call_id: "call_p", result: "done", status: "completed" },
      ...NOT_OFFERED,
    },
    shell_call: {
      example: {
        type: "shell_call",
        id: "sh_1",
        call_id: "call_1",
        status: "completed",
        action: { commands: ["ls"], timeout_ms: null, max_output_length: null },
        environment: { type: "local" },
      },
      ...NOT_OFFERED,
    },
    shell_call_output: {
      example: {
        type: "shell_call_output",
        id: "sho_1",
        call_id: "call_1",
        status: "completed",
        max_output_length: null,
        output: [{ stdout: "a.txt", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      },
      ...NOT_OFFERED,
    },
    tool_search_call: {
      example: {
        type: "tool_search_call",
        id: "tsc_1",
        call_id: null,
        execution: "server",
        status: "completed",
        arguments: { query: "mail" },
      },
      ...NOT_OFFERED,
    },
    tool_search_output: {
      example: {
        type: "tool_search_output",
        id: "tso_1",
        call_id: null,
        execution: "server",
        status: "completed",
        tools: [],
      },
      ...NOT_OFFERED,
    },
  },
};
