import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";

const MESSAGES = [{ role: "user", content: "Hi" }];
const SEARCH = {
  type: "function",
  function: {
    name: "search",
    description: "Searches",
    parameters: {
      type: "object",
      properties: { q: { type: "string" }, id: { type: "integer" } },
      required: ["q"],
    },
  },
};
const SQL = {
  type: "custom",
  custom: {
    name: "sql",
    description: "Runs a query",
    format: { type: "grammar", grammar: { syntax: "lark", definition: 'start: "SELECT"' } },
  },
};

/** The tools of a request. */
export const TOOLS: CoverageTable = {
  title: "Chat: tools",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionTool", members: "variants" },
  trial: {
    kind: "request",
    without: { model: "m", messages: MESSAGES },
    place: (tool: object) => ({ model: "m", messages: MESSAGES, tools: [tool] }),
  },
  rows: {
    function: { example: SEARCH, ...everywhere(converted("a function")) },
    custom: {
      example: SQL,
      ...everywhere(converted("a function with the one argument `input`; its calls return as calls of a custom tool")),
      "openai-responses": converted("a custom tool"),
    },
  },
};

/** Which tool the model must call. */
export const TOOL_CHOICES: CoverageTable = {
  title: "Chat: tool choices",
  dialect: "openai-chat",
  union: { declarations: "openai-chat", type: "ChatCompletionToolChoiceOption", members: "variants" },
  trial: {
    kind: "request",
    without: { model: "m", messages: MESSAGES, tools: [SEARCH, SQL] },
    place: (choice: unknown) => ({ model: "m", messages: MESSAGES, tools: [SEARCH, SQL], tool_choice: choice }),
  },
  rows: {
    auto: { example: "auto", ...everywhere(converted("the same")) },
    none: { example: "none", ...everywhere(converted("the same")) },
    required: { example: "required", ...everywhere(converted("a call of any tool")) },
    allowed_tools: {
      example: {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "search" } }] },
      },
      ...everywhere(converted("the allowed tools alone, and the mode")),
    },
    function: {
      example: { type: "function", function: { name: "search" } },
      ...everywhere(converted("a choice of the function")),
    },
    custom: {
      example: { type: "custom", custom: { name: "sql" } },
      ...everywhere(converted("a choice of the function that the tool became")),
      "openai-responses": converted("a choice of the custom tool"),
    },
  },
};

/** The formats of the text of a response. */
export const RESPONSE_FORMATS: CoverageTable = {
  title: "Chat: response formats",
  dialect: "openai-chat",
  union: {
    declarations: "openai-chat",
    type: "ChatCompletionCreateParamsBase",
    path: ["response_format"],
    members: "variants",
  },
  trial: {
    kind: "request",
    without: { model: "m", messages: MESSAGES },
    place: (format: object) => ({ model: "m", messages: MESSAGES, response_format: format }),
  },
  rows: {
    text: {
      example: { type: "text" },
      "openai-responses": converted("the same"),
      "anthropic-messages": leftOut("text is the default"),
      gemini: leftOut("text is the default"),
    },
    json_object: { example: { type: "json_object" }, ...everywhere(converted("JSON")) },
    json_schema: {
      example: {
        type: "json_schema",
        json_schema: {
          name: "weather",
          schema: {
            type: "object",
            properties: { degrees: { type: "number" } },
            required: ["degrees"],
            additionalProperties: false,
          },
          strict: true,
        },
      },
      ...everywhere(converted("the schema")),
    },
  },
};
