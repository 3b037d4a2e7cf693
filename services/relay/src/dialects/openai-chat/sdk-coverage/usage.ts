import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { getCompletion, MESSAGE, USAGE } from "./completion-bodies.ts";

const UNION = { declarations: "openai-completions", type: "CompletionUsage", members: "fields" } as const;
const getBody = (usage: Json) => getCompletion(MESSAGE, "stop", { ...USAGE, ...usage });

const AUDIO = everywhere(converted("no field: the totals hold them; charged at the price of audio"));
const PREDICTION = everywhere(leftOut("it is a part of the tokens of the output, which are charged"));

/** The fields of a usage. */
export const USAGE_FIELDS: CoverageTable = {
  title: "Chat: usage",
  dialect: "openai-chat",
  union: UNION,
  trial: { kind: "response", without: getBody({}), place: getBody },
  rows: {
    prompt_tokens: {
      example: { prompt_tokens: 150, total_tokens: 170 },
      ...everywhere(converted("the tokens of the prompt, charged as such")),
    },
    completion_tokens: {
      example: { completion_tokens: 50, total_tokens: 150 },
      ...everywhere(converted("the tokens of the output, charged as such")),
    },
    total_tokens: {
      example: { total_tokens: 120 },
      ...everywhere(leftOut("it is the sum of the other two; it is read where a provider omits one of them")),
    },
    prompt_tokens_details: {
      example: { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } },
      ...everywhere(converted("the tokens that the cache read and wrote, charged at their own prices")),
    },
    completion_tokens_details: {
      example: { completion_tokens_details: { reasoning_tokens: 15 } },
      ...everywhere(converted("the tokens of reasoning, charged within those of the output")),
    },
  },
};

/** The details of a usage's prompt. */
export const PROMPT_USAGE: CoverageTable = {
  title: "Chat: usage, prompt details",
  dialect: "openai-chat",
  union: { ...UNION, path: ["prompt_tokens_details"] },
  trial: {
    kind: "response",
    without: getBody({}),
    place: (details: Json) => getBody({ prompt_tokens_details: details }),
  },
  rows: {
    cached_tokens: {
      example: { cached_tokens: 60 },
      ...everywhere(converted("the tokens read from the cache, charged at their price")),
    },
    cache_write_tokens: {
      example: { cache_write_tokens: 60 },
      ...everywhere(converted("the tokens written to the cache, charged at their price")),
    },
    audio_tokens: { example: { audio_tokens: 30 }, ...AUDIO },
  },
};

/** The details of a usage's output. */
export const COMPLETION_USAGE: CoverageTable = {
  title: "Chat: usage, completion details",
  dialect: "openai-chat",
  union: { ...UNION, path: ["completion_tokens_details"] },
  trial: {
    kind: "response",
    without: getBody({}),
    place: (details: Json) => getBody({ completion_tokens_details: details }),
  },
  rows: {
    reasoning_tokens: {
      example: { reasoning_tokens: 15 },
      ...everywhere(converted("the tokens of reasoning, charged within those of the output")),
    },
    audio_tokens: { example: { audio_tokens: 10 }, ...AUDIO },
    accepted_prediction_tokens: { example: { accepted_prediction_tokens: 5 }, ...PREDICTION },
    rejected_prediction_tokens: { example: { rejected_prediction_tokens: 5 }, ...PREDICTION },
  },
};
