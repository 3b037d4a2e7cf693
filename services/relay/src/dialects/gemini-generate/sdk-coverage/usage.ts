import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getResponse, USAGE } from "./generate-bodies.ts";

const getUsageBody = (fields: Json): Json => getResponse({ usageMetadata: { ...USAGE, ...fields } });

/** The figures of a usage. */
export const USAGE_FIELDS: CoverageTable = {
  title: "Gemini: usage",
  dialect: "gemini",
  union: { declarations: "gemini", type: "GenerateContentResponseUsageMetadata", members: "fields" },
  trial: { kind: "response", without: getUsageBody({}), place: getUsageBody },
  rows: {
    promptTokenCount: {
      example: { promptTokenCount: 150, totalTokenCount: 170 },
      "openai-chat": converted("`prompt_tokens`"),
      "openai-responses": converted("`input_tokens`"),
      "anthropic-messages": converted("`input_tokens`"),
    },
    candidatesTokenCount: {
      example: { candidatesTokenCount: 30, totalTokenCount: 130 },
      "openai-chat": converted("`completion_tokens`"),
      "openai-responses": converted("`output_tokens`"),
      "anthropic-messages": converted("`output_tokens`"),
    },
    thoughtsTokenCount: {
      example: { thoughtsTokenCount: 15, totalTokenCount: 135 },
      "openai-chat": converted("`completion_tokens`, and among them `reasoning_tokens`"),
      "openai-responses": converted("`output_tokens`, and among them `reasoning_tokens`"),
      "anthropic-messages": converted("`output_tokens`, and among them `thinking_tokens`"),
    },
    totalTokenCount: { example: { totalTokenCount: 140 }, ...everywhere(converted("what the parts lack is output")) },
    cachedContentTokenCount: {
      example: { cachedContentTokenCount: 40 },
      "openai-chat": converted("`cached_tokens`"),
      "openai-responses": converted("`cached_tokens`"),
      "anthropic-messages": converted("`cache_read_input_tokens`"),
    },
    toolUsePromptTokenCount: {
      example: { toolUsePromptTokenCount: 30, totalTokenCount: 150 },
      "openai-chat": converted("`prompt_tokens`"),
      "openai-responses": converted("`input_tokens`"),
      "anthropic-messages": converted("`input_tokens`"),
    },
    promptTokensDetails: {
      example: {
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: 40 },
          { modality: "AUDIO", tokenCount: 60 },
        ],
      },
      ...everywhere(converted("audio, images and video are charged at their own prices")),
    },
    candidatesTokensDetails: {
      example: { candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 20 }] },
      ...everywhere(converted("audio, images and video are charged at their own prices")),
    },
    cacheTokensDetails: {
      example: {
        cachedContentTokenCount: 40,
        promptTokensDetails: [{ modality: "AUDIO", tokenCount: 60 }],
        cacheTokensDetails: [{ modality: "AUDIO", tokenCount: 40 }],
      },
      without: getUsageBody({
        cachedContentTokenCount: 40,
        promptTokensDetails: [{ modality: "AUDIO", tokenCount: 60 }],
      }),
      ...everywhere(converted("cached audio and images are charged at their own prices")),
    },
    toolUsePromptTokensDetails: {
      example: {
        toolUsePromptTokenCount: 30,
        totalTokenCount: 150,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
        toolUsePromptTokensDetails: [{ modality: "AUDIO", tokenCount: 30 }],
      },
      without: getUsageBody({
        toolUsePromptTokenCount: 30,
        totalTokenCount: 150,
        promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
      }),
      ...everywhere(converted("audio, images and video are charged at their own prices")),
    },
    trafficType: {
      example: { trafficType: "ON_DEMAND_PRIORITY" },
      ...everywhere(converted("charged at the tier's price")),
    },
    initialPromptTokenCount: {
      example: { initialPromptTokenCount: 100 },
      ...everywhere(leftOut("`promptTokenCount` holds it, and is charged")),
    },
  },
};

/** The tier that served a call. */
export const TRAFFIC_TYPES: CoverageTable = {
  title: "Gemini: traffic types",
  dialect: "gemini",
  union: { declarations: "gemini", type: "TrafficType", members: "values" },
  trial: { kind: "response", without: getUsageBody({}), place: (trafficType: string) => getUsageBody({ trafficType }) },
  rows: {
    ON_DEMAND: { example: "ON_DEMAND", ...everywhere(converted("charged at the standard price")) },
    ON_DEMAND_PRIORITY: {
      example: "ON_DEMAND_PRIORITY",
      ...everywhere(converted("charged at the tier's price; without one, at the most expensive of the model")),
    },
    ON_DEMAND_FLEX: {
      example: "ON_DEMAND_FLEX",
      ...everywhere(converted("charged at the tier's price; without one, at the most expensive of the model")),
    },
    ON_DEMAND_OFFPEAK: {
      example: "ON_DEMAND_OFFPEAK",
      ...everywhere(converted("charged at the tier's price; without one, at the most expensive of the model")),
    },
    PROVISIONED_THROUGHPUT: {
      example: "PROVISIONED_THROUGHPUT",
      ...everywhere(converted("charged at the tier's price; without one, at the most expensive of the model")),
    },
    TRAFFIC_TYPE_UNSPECIFIED: {
      example: "TRAFFIC_TYPE_UNSPECIFIED",
      ...everywhere(leftOut("charged at the standard price")),
    },
  },
};

const MODALITY_ROWS = {
  TEXT: { example: "TEXT", ...everywhere(leftOut("the totals hold it, at the price of text")) },
  IMAGE: { example: "IMAGE", ...everywhere(converted("charged at its own price")) },
  AUDIO: { example: "AUDIO", ...everywhere(converted("charged at its own price")) },
  VIDEO: { example: "VIDEO", ...everywhere(converted("charged at its own price")) },
  DOCUMENT: { example: "DOCUMENT", ...everywhere(leftOut("the totals hold it, at the price of text")) },
  MODALITY_UNSPECIFIED: {
    example: "MODALITY_UNSPECIFIED",
    ...everywhere(leftOut("the totals hold it, at the price of text")),
  },
};

/** The kinds of a prompt's tokens. */
export const PROMPT_MODALITIES: CoverageTable = {
  title: "Gemini: modalities of prompts",
  dialect: "gemini",
  union: { declarations: "gemini", type: "MediaModality", members: "values" },
  trial: {
    kind: "response",
    without: getUsageBody({ promptTokensDetails: [] }),
    place: (modality: string) => getUsageBody({ promptTokensDetails: [{ modality, tokenCount: 60 }] }),
  },
  rows: MODALITY_ROWS,
};

/** The kinds of a response's tokens. */
export const RESPONSE_MODALITIES: CoverageTable = {
  ...PROMPT_MODALITIES,
  title: "Gemini: modalities of responses",
  trial: {
    kind: "response",
    without: getUsageBody({ candidatesTokensDetails: [] }),
    place: (modality: string) => getUsageBody({ candidatesTokensDetails: [{ modality, tokenCount: 15 }] }),
  },
};
