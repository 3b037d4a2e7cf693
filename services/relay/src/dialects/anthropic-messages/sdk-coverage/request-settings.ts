import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";

const BODY = { model: "m", max_tokens: 8192, messages: [{ role: "user", content: "What time is it?" }] };
const SCHEMA = {
  type: "object",
  properties: { time: { type: "string" } },
  required: ["time"],
  additionalProperties: false,
};

/** How much the model thinks. */
export const THINKING: CoverageTable = {
  title: "Messages: thinking",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaThinkingConfigParam", members: "variants" },
  models: { "openai-chat": "gpt-5" },
  trial: { kind: "request", without: BODY, place: (thinking: Json) => ({ ...BODY, thinking }) },
  rows: {
    enabled: {
      example: { type: "enabled", budget_tokens: 4096 },
      "openai-chat": converted("`reasoning_effort` by the size of the budget"),
      "openai-responses": converted("`reasoning.effort` by the size of the budget"),
      gemini: converted("`thinkingBudget`"),
    },
    adaptive: {
      example: { type: "adaptive", display: "summarized" },
      "openai-chat": converted("`reasoning_effort` high"),
      "openai-responses": converted("`reasoning.effort` high"),
      gemini: converted("`thinkingBudget` -1"),
    },
    between_tools: {
      example: { type: "between_tools" },
      "openai-chat": converted("the lowest `reasoning_effort` of the model"),
      "openai-responses": converted("the lowest `reasoning.effort` of the model"),
      gemini: converted("`thinkingBudget` 0"),
    },
    disabled: {
      example: { type: "disabled" },
      "openai-chat": converted("the lowest `reasoning_effort` of the model"),
      "openai-responses": converted("the lowest `reasoning.effort` of the model"),
      gemini: converted("`thinkingBudget` 0"),
    },
  },
};

/** What Anthropic removes from a long conversation. */
export const CONTEXT_EDITS: CoverageTable = {
  title: "Messages: context edits",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaContextManagementConfig", path: ["edits"], members: "variants" },
  trial: {
    kind: "request",
    without: BODY,
    place: (edit: Json) => ({ ...BODY, context_management: { edits: [edit] } }),
  },
  rows: {
    clear_thinking_20251015: {
      example: { type: "clear_thinking_20251015", keep: "all" },
      ...everywhere(leftOut("other models get no thinking blocks back")),
    },
    clear_tool_uses_20250919: {
      example: { type: "clear_tool_uses_20250919", trigger: { type: "input_tokens", value: 100_000 } },
      ...everywhere(
        leftOut(
          "the whole conversation is sent; beyond the model's limit the error reports that the prompt is too long",
        ),
      ),
    },
    compact_20260112: {
      example: { type: "compact_20260112", trigger: { type: "input_tokens", value: 150_000 } },
      ...everywhere(
        leftOut(
          "the whole conversation is sent; beyond the model's limit the error reports that the prompt is too long",
        ),
      ),
    },
  },
};

/** The format and the effort of a response. */
export const OUTPUT_CONFIG: CoverageTable = {
  title: "Messages: output settings",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaOutputConfig", members: "fields" },
  models: { "openai-chat": "gpt-5" },
  trial: { kind: "request", without: BODY, place: (config: Json) => ({ ...BODY, output_config: config }) },
  rows: {
    effort: {
      example: { effort: "low" },
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      gemini: converted("`thinkingBudget`, for Gemini 3 `thinkingLevel`"),
    },
    format: {
      example: { format: { type: "json_schema", schema: SCHEMA } },
      "openai-chat": converted("`response_format`"),
      "openai-responses": converted("`text.format`"),
      gemini: converted("`responseSchema`"),
    },
    task_budget: {
      example: { task_budget: { type: "tokens", total: 50_000 } },
      ...everywhere(leftOut("it is advice to Claude; `max_tokens` holds")),
    },
  },
};

/** The depths of thinking by name. */
export const EFFORT: CoverageTable = {
  title: "Messages: efforts",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaOutputConfig", path: ["effort"], members: "values" },
  models: { "openai-chat": "gpt-5" },
  trial: { kind: "request", without: BODY, place: (effort: string) => ({ ...BODY, output_config: { effort } }) },
  rows: {
    low: {
      example: "low",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      gemini: converted("`thinkingBudget`, for Gemini 3 `thinkingLevel`"),
    },
    medium: {
      example: "medium",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      gemini: converted("`thinkingBudget`, for Gemini 3 `thinkingLevel`"),
    },
    high: {
      example: "high",
      "openai-chat": converted("`reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      gemini: converted("`thinkingBudget`, for Gemini 3 `thinkingLevel`"),
    },
    xhigh: {
      example: "xhigh",
      "openai-chat": converted("the highest `reasoning_effort` of the model up to it"),
      "openai-responses": converted("the highest `reasoning.effort` of the model up to it"),
      gemini: converted("the highest `thinkingBudget`, for Gemini 3 `thinkingLevel`"),
    },
    max: {
      example: "max",
      "openai-chat": converted("the highest `reasoning_effort` of the model up to it"),
      "openai-responses": converted("the highest `reasoning.effort` of the model up to it"),
      gemini: converted("the highest `thinkingBudget`, for Gemini 3 `thinkingLevel`"),
    },
  },
};

/** The service tiers that a caller requests. */
export const REQUESTED_TIERS: CoverageTable = {
  title: "Messages: requested service tiers",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "MessageCreateParamsBase", path: ["service_tier"], members: "values" },
  trial: { kind: "request", without: BODY, place: (tier: string) => ({ ...BODY, service_tier: tier }) },
  rows: {
    auto: { example: "auto", ...everywhere(leftOut("it leaves the tier to the provider, as no tier does")) },
    standard_only: {
      example: "standard_only",
      "openai-chat": converted("`service_tier` default, at OpenAI itself"),
      "openai-responses": converted("`service_tier` default"),
      gemini: leftOut("Google serves the standard tier to a call that names none"),
    },
  },
};

/** The speeds that a caller requests. */
export const REQUESTED_SPEEDS: CoverageTable = {
  title: "Messages: requested speeds",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "MessageCreateParamsBase", path: ["speed"], members: "values" },
  trial: { kind: "request", without: BODY, place: (speed: string) => ({ ...BODY, speed }) },
  rows: {
    standard: { example: "standard", ...everywhere(leftOut("it is the default")) },
    fast: {
      example: "fast",
      "openai-chat": converted("`service_tier` priority, at OpenAI itself"),
      "openai-responses": converted("`service_tier` priority"),
      gemini: converted("`serviceTier` priority, at the Gemini API"),
    },
  },
};
