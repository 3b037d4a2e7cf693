import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";

const HOSTED = everywhere(
  leftOut("the provider runs it, and the model need not call it; a choice that forces it is refused"),
);
const SEARCH = {
  "openai-chat": leftOut("the model searches if its provider can; this one has no search in chat"),
  "anthropic-messages": converted("Claude's web search"),
  gemini: converted("Google Search"),
};
const OWN = "a function, whose calls return as items of this tool";

/** The tools of a request. */
export const TOOLS: CoverageTable = {
  title: "Responses: tools",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "Tool", members: "variants" },
  trial: {
    kind: "request",
    without: { model: "m", input: "Hi" },
    place: (example: object) => ({ model: "m", input: "Hi", tools: [example] }),
  },
  rows: {
    function: {
      example: {
        type: "function",
        name: "search",
        description: "Searches",
        parameters: {
          type: "object",
          properties: { q: { type: "string" } },
          required: ["q"],
          additionalProperties: false,
        },
        strict: true,
      },
      ...everywhere(converted("a function")),
    },
    custom: {
      example: {
        type: "custom",
        name: "sql",
        description: "Runs a query",
        format: { type: "grammar", syntax: "lark", definition: 'start: "SELECT"' },
      },
      ...everywhere(converted("a function with the one argument `input`; a grammar becomes an instruction")),
    },
    namespace: {
      example: {
        type: "namespace",
        name: "mail",
        description: "Mail",
        tools: [{ type: "function", name: "send", parameters: { type: "object", properties: {} } }],
      },
      ...everywhere(converted("functions with joined names, such as `mail__send`")),
    },
    local_shell: { example: { type: "local_shell" }, ...everywhere(converted(OWN)) },
    shell: { example: { type: "shell", environment: { type: "local" } }, ...everywhere(converted(OWN)) },
    apply_patch: { example: { type: "apply_patch" }, ...everywhere(converted(OWN)) },
    tool_search: {
      example: {
        type: "tool_search",
        execution: "client",
        description: "Finds tools",
        parameters: { type: "object", properties: { query: { type: "string" } } },
      },
      ...everywhere(converted(OWN)),
    },
    web_search: { example: { type: "web_search", search_context_size: "low" }, ...SEARCH },
    web_search_2025_08_26: {
      example: { type: "web_search_2025_08_26", user_location: { type: "approximate", country: "DE" } },
      ...SEARCH,
    },
    web_search_preview: { example: { type: "web_search_preview" }, ...SEARCH },
    web_search_preview_2025_03_11: { example: { type: "web_search_preview_2025_03_11" }, ...SEARCH },
    file_search: { example: { type: "file_search", vector_store_ids: ["vs_1"] }, ...HOSTED },
    code_interpreter: { example: { type: "code_interpreter", container: { type: "auto" } }, ...HOSTED },
    image_generation: { example: { type: "image_generation", quality: "low" }, ...HOSTED },
    mcp: {
      example: { type: "mcp", server_label: "docs", server_url: "https://mcp.example/sse", require_approval: "never" },
      ...HOSTED,
    },
    programmatic_tool_calling: { example: { type: "programmatic_tool_calling" }, ...HOSTED },
    computer: {
      example: { type: "computer" },
      ...everywhere(leftOut("only models that are trained for it can use it, and the model need not call it")),
    },
    computer_use_preview: {
      example: { type: "computer_use_preview", display_width: 1024, display_height: 768, environment: "browser" },
      ...everywhere(leftOut("only models that are trained for it can use it, and the model need not call it")),
    },
  },
};
