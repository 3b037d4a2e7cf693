import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut, toValueRows } from "../../sdk-coverage/coverage-table.ts";
import { getMessage, USAGE } from "./message-fixtures.ts";

const BASE = { input_tokens: 100, output_tokens: 20 };
const getUsageBody = (fields: Json): Json => getMessage({ usage: { ...BASE, ...fields } });
const PARTS = {
  input_tokens: 1000,
  output_tokens: 50,
  cache_read_input_tokens: 10,
  cache_creation_input_tokens: 7,
  cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 3 },
};

/** The figures of a usage. */
export const USAGE_FIELDS: CoverageTable = {
  title: "Messages: usage",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaUsage", members: "fields" },
  trial: { kind: "response", without: getUsageBody({}), place: getUsageBody },
  rows: {
    input_tokens: {
      example: { input_tokens: 150 },
      "openai-chat": converted("`prompt_tokens`"),
      "openai-responses": converted("`input_tokens`"),
      gemini: converted("`promptTokenCount`"),
    },
    output_tokens: {
      example: { output_tokens: 30 },
      "openai-chat": converted("`completion_tokens`"),
      "openai-responses": converted("`output_tokens`"),
      gemini: converted("`candidatesTokenCount`"),
    },
    cache_read_input_tokens: {
      example: { cache_read_input_tokens: 40 },
      "openai-chat": converted("`prompt_tokens_details.cached_tokens`"),
      "openai-responses": converted("`input_tokens_details.cached_tokens`"),
      gemini: converted("`cachedContentTokenCount`"),
    },
    cache_creation_input_tokens: {
      example: { cache_creation_input_tokens: 40 },
      "openai-chat": converted("`prompt_tokens_details.cache_write_tokens`"),
      "openai-responses": converted("`input_tokens_details.cache_write_tokens`"),
      gemini: converted("`promptTokenCount`; charged as a cache write"),
    },
    cache_creation: {
      example: {
        cache_creation_input_tokens: 40,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 30 },
      },
      without: getUsageBody({ cache_creation_input_tokens: 40 }),
      ...everywhere(converted("charged at the price of the longer cache")),
    },
    output_tokens_details: {
      example: { output_tokens_details: { thinking_tokens: 15 } },
      "openai-chat": converted("`completion_tokens_details.reasoning_tokens`"),
      "openai-responses": converted("`output_tokens_details.reasoning_tokens`"),
      gemini: converted("`thoughtsTokenCount`"),
    },
    server_tool_use: {
      example: { server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 } },
      ...everywhere(converted("the searches are charged")),
    },
    service_tier: { example: { service_tier: "priority" }, ...everywhere(converted("charged at the tier's price")) },
    speed: { example: { speed: "fast" }, ...everywhere(converted("charged at the speed's price")) },
    inference_geo: { example: { inference_geo: "us" }, ...everywhere(converted("charged at the region's price")) },
    iterations: {
      example: { iterations: [{ type: "compaction", ...PARTS }] },
      ...everywhere(converted("calls that the totals lack are charged in addition")),
    },
    fallback_credit: {
      example: { fallback_credit: { status: { type: "redeemed" } } },
      ...everywhere(leftOut("it reports on a token that no converted call sends")),
    },
  },
};

/** The model calls within a response. */
export const ITERATIONS: CoverageTable = {
  title: "Messages: iterations of a usage",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaUsage", path: ["iterations"], members: "variants" },
  trial: { kind: "response", without: getUsageBody({}), place: (entry: Json) => getUsageBody({ iterations: [entry] }) },
  rows: {
    message: {
      example: { type: "message", model: null, ...PARTS },
      ...everywhere(leftOut("the totals hold it, and are charged")),
    },
    compaction: {
      example: { type: "compaction", ...PARTS },
      ...everywhere(converted("charged in addition: the totals lack it")),
    },
    advisor_message: {
      example: { type: "advisor_message", model: "claude-opus-4-7", ...PARTS },
      ...everywhere(converted("charged in addition, at the price of its model: the totals lack it")),
    },
    fallback_message: {
      example: { type: "fallback_message", model: "claude-opus-4-7", ...PARTS },
      ...everywhere(converted("charged at the price of its model, and taken out of the totals that hold it")),
    },
  },
};

/** The tools that Anthropic ran. */
export const SERVER_TOOL_USAGE: CoverageTable = {
  title: "Messages: usage of server tools",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaServerToolUsage", members: "fields" },
  trial: {
    kind: "response",
    without: getUsageBody({}),
    place: (tools: Json) => getUsageBody({ server_tool_use: tools }),
  },
  rows: {
    web_search_requests: { example: { web_search_requests: 2 }, ...everywhere(converted("charged by the search")) },
    web_fetch_requests: {
      example: { web_fetch_requests: 2 },
      ...everywhere(leftOut("Anthropic does not charge for it beyond its tokens")),
    },
  },
};

/** How long what was written to the cache is kept. */
export const CACHE_CREATION: CoverageTable = {
  title: "Messages: usage of cache writes",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaCacheCreation", members: "fields" },
  trial: {
    kind: "response",
    without: getUsageBody({}),
    place: (parts: Json) => getUsageBody({ cache_creation_input_tokens: 40, cache_creation: parts }),
  },
  rows: {
    ephemeral_5m_input_tokens: {
      example: { ephemeral_5m_input_tokens: 40, ephemeral_1h_input_tokens: 0 },
      "openai-chat": converted("`prompt_tokens_details.cache_write_tokens`"),
      "openai-responses": converted("`input_tokens_details.cache_write_tokens`"),
      gemini: converted("`promptTokenCount`; charged as a cache write"),
    },
    ephemeral_1h_input_tokens: {
      example: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 40 },
      without: getUsageBody({ cache_creation_input_tokens: 40 }),
      ...everywhere(converted("charged at the price of the longer cache")),
    },
  },
};

/** The tier that served a call. */
export const SERVICE_TIERS: CoverageTable = {
  title: "Messages: service tiers",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaUsage", path: ["service_tier"], members: "values" },
  trial: { kind: "response", without: getUsageBody({}), place: (tier: string) => getUsageBody({ service_tier: tier }) },
  rows: toValueRows(["standard", "priority", "batch"], everywhere(converted("charged at the tier's price"))),
};

/** The speed at which a call was served. */
export const SPEEDS: CoverageTable = {
  title: "Messages: speeds",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaUsage", path: ["speed"], members: "values" },
  trial: { kind: "response", without: getUsageBody({}), place: (speed: string) => getUsageBody({ ...USAGE, speed }) },
  rows: toValueRows(["standard", "fast"], everywhere(converted("charged at the speed's price"))),
};
