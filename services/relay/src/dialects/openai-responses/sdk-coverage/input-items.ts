import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";

const QUESTION = { role: "user", content: "Hi" };
const TOOLS = [{ type: "function", name: "search", parameters: { type: "object", properties: {} }, strict: false }];

const getBody = (...items: readonly object[]) => ({ model: "m", tools: TOOLS, input: [QUESTION, ...items] });

/** The result of a call, which is compared with the call alone. */
const resultOf = (call: object, result: object) => ({ example: [call, result], without: getBody(call) });

const CALL = { type: "function_call", call_id: "call_1", name: "search", arguments: '{"query":"mail"}' };
const CUSTOM_CALL = { type: "custom_tool_call", call_id: "call_1", name: "sql", input: "SELECT 1" };
const SHELL_CALL = {
  type: "shell_call",
  call_id: "call_1",
  action: { commands: ["ls"], timeout_ms: 1000, max_output_length: null },
  status: "completed",
};
const LOCAL_SHELL_CALL = {
  type: "local_shell_call",
  id: "lsh_1",
  call_id: "call_1",
  action: { type: "exec", command: ["ls"], env: {}, working_directory: "/src" },
  status: "completed",
};
const PATCH_CALL = {
  type: "apply_patch_call",
  call_id: "call_1",
  operation: { type: "update_file", path: "a.txt", diff: "@@\n-a\n+b" },
  status: "completed",
};
const COMPUTER_CALL = {
  type: "computer_call",
  id: "cu_1",
  call_id: "call_1",
  actions: [{ type: "screenshot" }],
  pending_safety_checks: [],
  status: "completed",
};
const SEARCH_CALL = {
  type: "tool_search_call",
  call_id: "call_1",
  execution: "client",
  arguments: { query: "mail" },
  status: "completed",
};
const MAIL = {
  type: "function",
  name: "send_mail",
  parameters: { type: "object", properties: { to: { type: "string" } } },
  strict: false,
};

const AS_CALL = everywhere(converted("a call of a function with the tool's name"));
const AS_RESULT = everywhere(converted("the result of the call"));

/** The items of the input. */
export const INPUT_ITEMS: CoverageTable = {
  title: "Responses: input items",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseInputItem", members: "variants" },
  trial: {
    kind: "request",
    without: getBody(),
    place: (example: object | readonly object[]) => getBody(...(Array.isArray(example) ? example : [example])),
  },
  rows: {
    message: {
      example: {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hello", annotations: [] }],
      },
      ...everywhere(converted("a message of the assistant")),
    },
    function_call: { example: CALL, ...everywhere(converted("a call")) },
    function_call_output: {
      ...resultOf(CALL, { type: "function_call_output", call_id: "call_1", output: "sunny" }),
      ...AS_RESULT,
    },
    custom_tool_call: {
      example: CUSTOM_CALL,
      ...everywhere(converted("a call of a function with the one argument `input`")),
    },
    custom_tool_call_output: {
      ...resultOf(CUSTOM_CALL, { type: "custom_tool_call_output", call_id: "call_1", output: "1 row" }),
      ...AS_RESULT,
    },
    local_shell_call: { example: LOCAL_SHELL_CALL, ...AS_CALL },
    local_shell_call_output: {
      ...resultOf(LOCAL_SHELL_CALL, { type: "local_shell_call_output", id: "call_1", output: "a.txt" }),
      ...AS_RESULT,
    },
    shell_call: { example: SHELL_CALL, ...AS_CALL },
    shell_call_output: {
      ...resultOf(SHELL_CALL, {
        type: "shell_call_output",
        call_id: "call_1",
        output: [{ stdout: "a.txt", stderr: "", outcome: { type: "exit", exit_code: 1 } }],
      }),
      ...AS_RESULT,
    },
    apply_patch_call: { example: PATCH_CALL, ...AS_CALL },
    apply_patch_call_output: {
      ...resultOf(PATCH_CALL, {
        type: "apply_patch_call_output",
        call_id: "call_1",
        status: "failed",
        output: "no such line",
      }),
      ...AS_RESULT,
    },
    computer_call: { example: COMPUTER_CALL, ...AS_CALL },
    computer_call_output: {
      ...resultOf(COMPUTER_CALL, {
        type: "computer_call_output",
        call_id: "call_1",
        output: { type: "computer_screenshot", image_url: "data:image/png;base64,iVBORw0KGgo=" },
      }),
      ...everywhere(converted("the result of the call, with the screenshot as an image")),
    },
    tool_search_call: { example: SEARCH_CALL, ...AS_CALL },
    tool_search_output: {
      ...resultOf(SEARCH_CALL, { type: "tool_search_output", call_id: "call_1", execution: "client", tools: [MAIL] }),
      ...everywhere(converted("the names of the found tools as the result of the call; the tools join `tools`")),
    },
    additional_tools: {
      example: { type: "additional_tools", role: "developer", tools: [MAIL] },
      ...everywhere(converted("its tools join `tools`")),
    },
    reasoning: {
      example: [
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "A greeting." }] },
        { role: "assistant", content: "Hello" },
      ],
      without: getBody({ role: "assistant", content: "Hello" }),
      "openai-chat": leftOut("OpenAI's chat does not take reasoning back"),
      "anthropic-messages": leftOut("Claude takes back signed reasoning alone"),
      gemini: leftOut("Gemini takes back signed reasoning alone"),
    },
    web_search_call: {
      example: {
        type: "web_search_call",
        id: "ws_1",
        status: "completed",
        action: { type: "search", query: "weather" },
      },
      ...everywhere(leftOut("the provider ran the search; what it found is in the message that follows")),
    },
    file_search_call: {
      example: {
        type: "file_search_call",
        id: "fs_1",
        status: "completed",
        queries: ["rent"],
        results: [{ file_id: "file_1", filename: "lease.pdf", score: 0.9, text: "The rent is 900." }],
      },
      ...everywhere(leftOut("the provider ran the search; what it found is in the message that follows")),
    },
    code_interpreter_call: {
      example: {
        type: "code_interpreter_call",
        id: "ci_1",
        status: "completed",
        code: "print(1)",
        container_id: "cntr_1",
        outputs: [{ type: "logs", logs: "1\n" }],
      },
      ...everywhere(leftOut("the provider ran the code; what it printed is in the message that follows")),
    },
    image_generation_call: {
      example: [
        { type: "image_generation_call", id: "ig_1", status: "completed", result: "iVBORw0KGgo=" },
        { role: "user", content: "Bluer" },
      ],
      without: getBody({ role: "user", content: "Bluer" }),
      "openai-chat": converted("an image in the next message of the user, unless the model reads none"),
      "anthropic-messages": converted("an image in the next message of the user, unless the model reads none"),
      gemini: converted("`inlineData` of the model"),
    },
    mcp_list_tools: {
      example: {
        type: "mcp_list_tools",
        id: "mcpl_1",
        server_label: "docs",
        tools: [{ name: "find", input_schema: { type: "object" } }],
      },
      ...everywhere(leftOut("the provider calls these tools; no other model can")),
    },
    mcp_call: {
      example: {
        type: "mcp_call",
        id: "mcp_1",
        server_label: "docs",
        name: "find",
        arguments: '{"q":"rent"}',
        output: "page 3",
        status: "completed",
      },
      ...everywhere(leftOut("the provider ran the call; what it yielded is in the message that follows")),
    },
    mcp_approval_request: {
      example: { type: "mcp_approval_request", id: "mcpr_1", server_label: "docs", name: "find", arguments: "{}" },
      ...everywhere(leftOut("it requests approval for a call that the provider runs; no other model can")),
    },
    mcp_approval_response: {
      example: { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
      ...everywhere(leftOut("it decides whether the provider may run a call; no other model can")),
    },
    program: {
      example: { type: "program", id: "prog_1", call_id: "call_p", code: "await search()", fingerprint: "f" },
      ...everywhere(leftOut("the provider ran the program; the calls that it made are items of their own")),
    },
    program_output: {
      example: { type: "program_output", id: "po_1", call_id: "call_p", result: "done", status: "completed" },
      ...everywhere(leftOut("the provider ran the program; its result is in the message that follows")),
    },
    compaction: {
      example: { type: "compaction", id: "cmp_1", encrypted_content: "gAAAA" },
      ...everywhere(refused("400 `input[1].type`: OpenAI alone can read what replaces the conversation")),
    },
    compaction_trigger: {
      example: [{ type: "compaction_trigger" }, { role: "user", content: "Go on" }],
      without: getBody({ role: "user", content: "Go on" }),
      ...everywhere(leftOut("it requested the compaction that follows; at the end of the input it requests a summary")),
    },
    item_reference: {
      example: { type: "item_reference", id: "msg_1" },
      ...everywhere(refused("400 `input[1].type`: nothing is stored that the item could be looked up in")),
    },
  },
};
