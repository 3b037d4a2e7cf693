import { type CoverageTable, converted, everywhere, refused } from "../../sdk-coverage/coverage-table.ts";

const PARAMETERS = { type: "object", properties: {} };
const TOOLS = [
  { type: "function", name: "search", parameters: PARAMETERS, strict: false },
  { type: "function", name: "send", parameters: PARAMETERS, strict: false },
  { type: "custom", name: "sql" },
  { type: "shell", environment: { type: "local" } },
  { type: "apply_patch" },
  { type: "web_search_preview" },
  { type: "file_search", vector_store_ids: ["vs_1"] },
  { type: "computer" },
];

const FORCED = everywhere(refused("400 `tool_choice`: the model must call a tool that its provider does not run"));
const NAMED = everywhere(converted("a choice of the function that the tool became"));
const SEARCH = everywhere(converted("`auto`: the model decides whether it searches"));

/** Which tool the model must call. */
export const TOOL_CHOICES: CoverageTable = {
  title: "Responses: tool choices",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseCreateParamsBase",
    path: ["tool_choice"],
    members: "variants",
  },
  trial: {
    kind: "request",
    without: { model: "m", input: "Hi", tools: TOOLS },
    place: (example: unknown) => ({ model: "m", input: "Hi", tools: TOOLS, tool_choice: example }),
  },
  rows: {
    auto: { example: "auto", ...everywhere(converted("the same")) },
    none: { example: "none", ...everywhere(converted("the same, without the web search")) },
    required: { example: "required", ...everywhere(converted("a call of any tool")) },
    allowed_tools: {
      example: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "search" }] },
      ...everywhere(converted("the allowed tools alone, and the mode")),
    },
    function: { example: { type: "function", name: "search" }, ...NAMED },
    custom: { example: { type: "custom", name: "sql" }, ...NAMED },
    shell: { example: { type: "shell" }, ...NAMED },
    apply_patch: { example: { type: "apply_patch" }, ...NAMED },
    web_search_preview: { example: { type: "web_search_preview" }, ...SEARCH },
    web_search_preview_2025_03_11: { example: { type: "web_search_preview_2025_03_11" }, ...SEARCH },
    file_search: { example: { type: "file_search" }, ...FORCED },
    code_interpreter: { example: { type: "code_interpreter" }, ...FORCED },
    image_generation: { example: { type: "image_generation" }, ...FORCED },
    mcp: { example: { type: "mcp", server_label: "docs", name: "find" }, ...FORCED },
    programmatic_tool_calling: { example: { type: "programmatic_tool_calling" }, ...FORCED },
    computer: { example: { type: "computer" }, ...FORCED },
    computer_use: { example: { type: "computer_use" }, ...FORCED },
    computer_use_preview: { example: { type: "computer_use_preview" }, ...FORCED },
  },
};
