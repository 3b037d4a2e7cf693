import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";

const CLOCK = { name: "clock", description: "The time.", input_schema: { type: "object", properties: {} } };
const BODY = { model: "m", max_tokens: 64, messages: [{ role: "user", content: "What time is it?" }] };

const FUNCTION = everywhere(converted("a function with the tool's name and parameters"));
const REFUSED = everywhere(refused("no other model is trained to operate the screen by Anthropic's actions"));
const HOSTED = everywhere(
  leftOut(
    "Anthropic runs it and the model may do without it; refused where `tool_choice` forces it. Claude channels are preferred",
  ),
);
const SEARCH = {
  "openai-chat": leftOut("OpenAI's search models search without it; others respond from what they know"),
  "openai-responses": converted("`web_search`"),
  gemini: converted("`googleSearch`"),
};

/** The tools that a model is offered. */
export const TOOLS: CoverageTable = {
  title: "Messages: tools",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaToolUnion", members: "variants" },
  trial: {
    kind: "request",
    without: BODY,
    place: (tool: Json) => ({ ...BODY, tools: [tool] }),
  },
  rows: {
    custom: {
      example: {
        type: "custom",
        name: "alarm",
        description: "Sets an alarm.",
        strict: true,
        input_schema: {
          type: "object",
          properties: { at: { type: "string" } },
          required: ["at"],
          additionalProperties: false,
        },
      },
      "openai-chat": converted("a function"),
      "openai-responses": converted("a function"),
      gemini: converted("a function declaration"),
    },
    bash_20241022: { example: { type: "bash_20241022", name: "bash" }, ...FUNCTION },
    bash_20250124: { example: { type: "bash_20250124", name: "bash" }, ...FUNCTION },
    text_editor_20241022: { example: { type: "text_editor_20241022", name: "str_replace_editor" }, ...FUNCTION },
    text_editor_20250124: { example: { type: "text_editor_20250124", name: "str_replace_editor" }, ...FUNCTION },
    text_editor_20250429: {
      example: { type: "text_editor_20250429", name: "str_replace_based_edit_tool" },
      ...FUNCTION,
    },
    text_editor_20250728: {
      example: { type: "text_editor_20250728", name: "str_replace_based_edit_tool", max_characters: 10_000 },
      ...FUNCTION,
    },
    memory_20250818: { example: { type: "memory_20250818", name: "memory" }, ...FUNCTION },
    computer_20241022: {
      example: { type: "computer_20241022", name: "computer", display_width_px: 1024, display_height_px: 768 },
      ...REFUSED,
    },
    computer_20250124: {
      example: { type: "computer_20250124", name: "computer", display_width_px: 1024, display_height_px: 768 },
      ...REFUSED,
    },
    computer_20251124: {
      example: { type: "computer_20251124", name: "computer", display_width_px: 1024, display_height_px: 768 },
      ...REFUSED,
    },
    computer_toolset_20260801: { example: { type: "computer_toolset_20260801" }, ...REFUSED },
    browser_toolset_20260801: { example: { type: "browser_toolset_20260801" }, ...REFUSED },
    web_search_20250305: { example: { type: "web_search_20250305", name: "web_search", max_uses: 3 }, ...SEARCH },
    web_search_20260209: { example: { type: "web_search_20260209", name: "web_search" }, ...SEARCH },
    web_search_20260318: {
      example: { type: "web_search_20260318", name: "web_search", response_inclusion: "excluded" },
      ...SEARCH,
    },
    web_fetch_20250910: { example: { type: "web_fetch_20250910", name: "web_fetch", max_uses: 3 }, ...HOSTED },
    web_fetch_20260209: { example: { type: "web_fetch_20260209", name: "web_fetch" }, ...HOSTED },
    web_fetch_20260309: { example: { type: "web_fetch_20260309", name: "web_fetch" }, ...HOSTED },
    web_fetch_20260318: { example: { type: "web_fetch_20260318", name: "web_fetch" }, ...HOSTED },
    code_execution_20250522: { example: { type: "code_execution_20250522", name: "code_execution" }, ...HOSTED },
    code_execution_20250825: { example: { type: "code_execution_20250825", name: "code_execution" }, ...HOSTED },
    code_execution_20260120: { example: { type: "code_execution_20260120", name: "code_execution" }, ...HOSTED },
    code_execution_20260521: { example: { type: "code_execution_20260521", name: "code_execution" }, ...HOSTED },
    advisor_20260301: { example: { type: "advisor_20260301", name: "advisor", model: "claude-opus-4-7" }, ...HOSTED },
    tool_search_tool_bm25: { example: { type: "tool_search_tool_bm25", name: "tool_search_tool_bm25" }, ...HOSTED },
    tool_search_tool_bm25_20251119: {
      example: { type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" },
      ...HOSTED,
    },
    tool_search_tool_regex: { example: { type: "tool_search_tool_regex", name: "tool_search_tool_regex" }, ...HOSTED },
    tool_search_tool_regex_20251119: {
      example: { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" },
      ...HOSTED,
    },
    mcp_toolset: { example: { type: "mcp_toolset", mcp_server_name: "clocks" }, ...HOSTED },
  },
};

/** Which tool the model calls. */
export const TOOL_CHOICES: CoverageTable = {
  title: "Messages: tool choices",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaToolChoice", members: "variants" },
  trial: {
    kind: "request",
    without: { ...BODY, tools: [CLOCK] },
    place: (choice: Json) => ({ ...BODY, tools: [CLOCK], tool_choice: choice }),
  },
  rows: {
    auto: {
      example: { type: "auto", disable_parallel_tool_use: true },
      "openai-chat": converted("`auto`; one call at a time becomes `parallel_tool_calls`"),
      "openai-responses": converted("`auto`; one call at a time becomes `parallel_tool_calls`"),
      gemini: converted("`AUTO`; Gemini has no setting for one call at a time"),
    },
    any: {
      example: { type: "any" },
      "openai-chat": converted("`required`"),
      "openai-responses": converted("`required`"),
      gemini: converted("`ANY`"),
    },
    tool: {
      example: { type: "tool", name: "clock" },
      "openai-chat": converted("a function by name"),
      "openai-responses": converted("a function by name"),
      gemini: converted("`ANY` with `allowedFunctionNames`"),
    },
    none: {
      example: { type: "none" },
      "openai-chat": converted("`none`"),
      "openai-responses": converted("`none`"),
      gemini: converted("`NONE`"),
    },
  },
};
