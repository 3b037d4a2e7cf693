import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, refused } from "../../sdk-coverage/coverage-table.ts";

const BODY = { model: "m", max_tokens: 8192, messages: [{ role: "user", content: "What time is it?" }] };
const CLOCK = { name: "clock", input_schema: { type: "object", properties: {} } };
const SCHEMA = { type: "object", properties: {}, additionalProperties: false };
const FOR_CLAUDE = "it is for Anthropic's account and billing, which no other provider has";

/** The fields of a call. */
export const REQUEST_BODY: CoverageTable = {
  title: "Messages: fields of requests",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "MessageCreateParamsBase", members: "fields" },
  trial: { kind: "request", without: BODY, place: (fields: Json) => ({ ...BODY, ...fields }) },
  rows: {
    model: { example: { model: "other" }, ...everywhere(leftOut("the channel names the model that is requested")) },
    max_tokens: {
      example: { max_tokens: 100 },
      "openai-chat": converted("`max_tokens`, for newer models `max_completion_tokens`"),
      "openai-responses": converted("`max_output_tokens`"),
      gemini: converted("`maxOutputTokens`"),
    },
    messages: {
      example: { messages: [{ role: "user", content: "And now?" }] },
      "openai-chat": converted("`messages`"),
      "openai-responses": converted("`input`"),
      gemini: converted("`contents`"),
    },
    system: {
      example: { system: "Be brief." },
      "openai-chat": converted("the system message"),
      "openai-responses": converted("`instructions`"),
      gemini: converted("`systemInstruction`"),
    },
    stream: {
      example: { stream: true },
      "openai-chat": converted("`stream`"),
      "openai-responses": converted("`stream`"),
      gemini: leftOut("the URL of the call requests it"),
    },
    stop_sequences: {
      example: { stop_sequences: ["noon"] },
      "openai-chat": converted("`stop`, where the model takes it"),
      "openai-responses": leftOut("models of the Responses API take none; the response is not cut"),
      gemini: converted("`stopSequences`"),
    },
    metadata: {
      example: { metadata: { user_id: "u1" } },
      "openai-chat": converted("`user`"),
      "openai-responses": converted("`user`"),
      gemini: leftOut("Gemini has no field for the end user"),
    },
    tools: {
      example: { tools: [CLOCK] },
      "openai-chat": converted("functions"),
      "openai-responses": converted("functions"),
      gemini: converted("functions"),
    },
    tool_choice: {
      example: { tools: [CLOCK], tool_choice: { type: "any" } },
      without: { ...BODY, tools: [CLOCK] },
      "openai-chat": converted("`tool_choice`"),
      "openai-responses": converted("`tool_choice`"),
      gemini: converted("`functionCallingConfig`"),
    },
    thinking: {
      example: { thinking: { type: "enabled", budget_tokens: 4096 } },
      "openai-chat": leftOut("this model does not reason; those that do get `reasoning_effort`"),
      "openai-responses": converted("`reasoning.effort`"),
      gemini: converted("`thinkingConfig`"),
    },
    output_config: {
      example: { output_config: { format: { type: "json_schema", schema: SCHEMA } } },
      "openai-chat": converted("`response_format` and `reasoning_effort`"),
      "openai-responses": converted("`text.format` and `reasoning.effort`"),
      gemini: converted("`responseSchema` and `thinkingConfig`"),
    },
    output_format: {
      example: { output_format: { type: "json_schema", schema: SCHEMA } },
      "openai-chat": converted("`response_format`"),
      "openai-responses": converted("`text.format`"),
      gemini: converted("`responseSchema`"),
    },
    cache_control: {
      example: { cache_control: { type: "ephemeral" } },
      ...everywhere(leftOut("OpenAI and Google cache by themselves; OpenRouter and Model Studio get it")),
    },
    service_tier: {
      example: { service_tier: "standard_only" },
      "openai-chat": converted("`service_tier`, at OpenAI itself"),
      "openai-responses": converted("`service_tier`"),
      gemini: leftOut("Google serves the standard tier to a call that names none"),
    },
    speed: {
      example: { speed: "fast" },
      "openai-chat": converted("`service_tier` priority, at OpenAI itself"),
      "openai-responses": converted("`service_tier` priority"),
      gemini: converted("`serviceTier` priority, at the Gemini API"),
    },
    inference_geo: {
      example: { inference_geo: "us" },
      ...everywhere(
        refused("other providers have no field for the region; Claude channels are chosen where there are any"),
      ),
    },
    compaction: {
      example: { compaction: { type: "summarize" } },
      ...everywhere(converted("a request for a summary, which returns as the `compaction` block")),
    },
    context_management: {
      example: { context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] } },
      ...everywhere(
        leftOut(
          "the whole conversation is sent; beyond the model's limit the error reports that the prompt is too long",
        ),
      ),
    },
    container: {
      example: { container: "container_1" },
      ...everywhere(
        leftOut("it is for code execution, which Anthropic alone runs; the channel that has the container is chosen"),
      ),
    },
    mcp_servers: {
      example: { mcp_servers: [{ type: "url", name: "clocks", url: "https://a.example" }] },
      ...everywhere(leftOut("Anthropic alone calls them, and the model may do without; Claude channels are preferred")),
    },
    thread: {
      example: { thread: { type: "create" } },
      ...everywhere(refused("the earlier messages are stored at Anthropic; clients then send the whole conversation")),
    },
    fallbacks: {
      example: { fallbacks: [{ model: "claude-sonnet-4-5" }] },
      ...everywhere(leftOut("the gateway tries them itself, in the order given")),
    },
    fallback_credit_token: { example: { fallback_credit_token: "t" }, ...everywhere(leftOut(FOR_CLAUDE)) },
    diagnostics: {
      example: { diagnostics: { previous_message_id: null } },
      ...everywhere(leftOut("it requests the reason of a cache miss at Anthropic")),
    },
    billing_policy: {
      example: { billing_policy: { type: "billing_policy", bill_to: "self" } },
      ...everywhere(leftOut(FOR_CLAUDE)),
    },
    betas: { example: {}, ...everywhere(leftOut("the SDK sends it as a header of Anthropic's")) },
    user_profile_id: { example: {}, ...everywhere(leftOut("the SDK sends it as a header of Anthropic's")) },
    workspace_id: { example: {}, ...everywhere(leftOut("the SDK sends it as a header of Anthropic's")) },
  },
};
