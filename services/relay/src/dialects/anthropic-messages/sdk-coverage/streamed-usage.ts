import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { messageEnd, messageStart, streamBlock, TEXT_BLOCK, textDelta } from "./message-fixtures.ts";

const stream = (usage: Json): Json[] => [
  messageStart(),
  ...streamBlock(0, TEXT_BLOCK, [textDelta("It is noon.")]),
  ...messageEnd({}, usage),
];
const COMPACTION = {
  type: "compaction",
  input_tokens: 1000,
  output_tokens: 50,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_creation: null,
};

/** The usage at the end of a stream, whose figures replace those of its start. */
export const STREAMED_USAGE: CoverageTable = {
  title: "Messages: usage at the end of streams",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaMessageDeltaUsage", members: "fields" },
  trial: { kind: "stream", without: stream({}), place: stream },
  rows: {
    input_tokens: { example: { input_tokens: 150 }, ...everywhere(converted("the prompt's tokens")) },
    output_tokens: { example: { output_tokens: 30 }, ...everywhere(converted("the response's tokens")) },
    cache_read_input_tokens: {
      example: { cache_read_input_tokens: 40 },
      ...everywhere(converted("cached tokens, charged as such")),
    },
    cache_creation_input_tokens: {
      example: { cache_creation_input_tokens: 40 },
      ...everywhere(converted("tokens of the prompt, charged as cache writes")),
    },
    output_tokens_details: {
      example: { output_tokens_details: { thinking_tokens: 15 } },
      ...everywhere(converted("reasoning tokens")),
    },
    server_tool_use: {
      example: { server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 } },
      ...everywhere(converted("the searches are charged")),
    },
    iterations: {
      example: { iterations: [COMPACTION] },
      ...everywhere(converted("calls that the totals lack are charged in addition")),
    },
    fallback_credit: {
      example: { fallback_credit: { status: { type: "redeemed" } } },
      ...everywhere(leftOut("it reports on a token that no converted call sends")),
    },
  },
};
