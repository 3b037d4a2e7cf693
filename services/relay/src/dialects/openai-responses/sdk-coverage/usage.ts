import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import type { Json } from "../../../core/chat/chat.ts";
import { getResponse, USAGE } from "./response-bodies.ts";

const { input_tokens_details: _in, output_tokens_details: _out, ...COUNTS } = USAGE;

const getBody = (usage: Json) => getResponse({ usage });

/** The fields of a usage. */
export const USAGE_FIELDS: CoverageTable = {
  title: "Responses: usage",
  dialect: "openai-responses",
  union: { declarations: "openai-responses", type: "ResponseUsage", members: "fields" },
  trial: {
    kind: "response",
    without: getBody(COUNTS),
    place: (fields: Json) => getBody({ ...COUNTS, ...fields }),
  },
  rows: {
    input_tokens: {
      example: { input_tokens: 150, total_tokens: 170 },
      ...everywhere(converted("the tokens of the prompt, charged as such")),
    },
    output_tokens: {
      example: { output_tokens: 50, total_tokens: 150 },
      ...everywhere(converted("the tokens of the output, charged as such")),
    },
    total_tokens: { example: { total_tokens: 120 }, ...everywhere(leftOut("it is the sum of the other two")) },
    input_tokens_details: {
      example: { input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } },
      ...everywhere(converted("the tokens that the cache read and wrote, charged at their own prices")),
    },
    output_tokens_details: {
      example: { output_tokens_details: { reasoning_tokens: 15 } },
      ...everywhere(converted("the tokens of reasoning, charged within those of the output")),
    },
  },
};

/** The details of a usage's input. */
export const INPUT_USAGE: CoverageTable = {
  title: "Responses: usage, input details",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseUsage",
    path: ["input_tokens_details"],
    members: "fields",
  },
  trial: {
    kind: "response",
    without: getBody(COUNTS),
    place: (details: Json) => getBody({ ...COUNTS, input_tokens_details: details }),
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
  },
};

/** The details of a usage's output. */
export const OUTPUT_USAGE: CoverageTable = {
  title: "Responses: usage, output details",
  dialect: "openai-responses",
  union: {
    declarations: "openai-responses",
    type: "ResponseUsage",
    path: ["output_tokens_details"],
    members: "fields",
  },
  trial: {
    kind: "response",
    without: getBody(COUNTS),
    place: (details: Json) => getBody({ ...COUNTS, output_tokens_details: details }),
  },
  rows: {
    reasoning_tokens: {
      example: { reasoning_tokens: 15 },
      ...everywhere(converted("the tokens of reasoning, charged within those of the output")),
    },
  },
};
