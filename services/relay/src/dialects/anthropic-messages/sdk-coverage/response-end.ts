import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, leftOut } from "../../sdk-coverage/coverage-table.ts";
import { NOON, getMessage, messageEnd, messageStart, streamBlock, TEXT_BLOCK, textDelta } from "./message-fixtures.ts";

const CALL = { type: "tool_use", id: "toolu_1", name: "clock", input: {} };
const REFUSAL = { type: "refusal", category: "cyber", explanation: "It asks for an attack." };

/** A message that ended for a reason, with what comes with the reason. */
const endBy = (reason: string): Json => ({
  stop_reason: reason,
  ...(reason === "stop_sequence" ? { stop_sequence: "noon" } : {}),
  ...(reason === "refusal" ? { stop_details: REFUSAL } : {}),
});

const REASONS = {
  end_turn: {
    example: "end_turn",
    without: getMessage({ stop_reason: "max_tokens" }),
    "openai-chat": converted("`stop`"),
    "openai-responses": converted("`completed`"),
    gemini: converted("`STOP`"),
  },
  max_tokens: {
    example: "max_tokens",
    "openai-chat": converted("`length`"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    gemini: converted("`MAX_TOKENS`"),
  },
  stop_sequence: {
    example: "stop_sequence",
    without: getMessage({ stop_reason: "max_tokens" }),
    "openai-chat": converted("`stop`"),
    "openai-responses": converted("`completed`"),
    gemini: converted("`STOP`"),
  },
  tool_use: {
    example: "tool_use",
    without: getMessage({ content: [NOON, CALL], stop_reason: "max_tokens" }),
    "openai-chat": converted("`tool_calls`"),
    "openai-responses": converted("`completed`"),
    gemini: converted("`STOP`, as Gemini ends calls"),
  },
  pause_turn: {
    example: "pause_turn",
    "openai-chat": converted("`length`: the response is not complete"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    gemini: converted("`OTHER`"),
  },
  compaction: {
    example: "compaction",
    "openai-chat": converted("`length`: the response is not complete"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    gemini: converted("`OTHER`"),
  },
  refusal: {
    example: "refusal",
    "openai-chat": converted("`content_filter`, the explanation as `refusal`"),
    "openai-responses": converted("`incomplete`, content_filter, the explanation as a `refusal` part"),
    gemini: converted("`SAFETY`, the explanation as text"),
  },
  model_context_window_exceeded: {
    example: "model_context_window_exceeded",
    "openai-chat": converted("`length`"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    gemini: converted("`MAX_TOKENS`"),
  },
};

/** Why a message ended. */
export const STOP_REASONS: CoverageTable = {
  title: "Messages: stop reasons",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaStopReason", members: "values" },
  trial: {
    kind: "response",
    without: getMessage({}),
    place: (reason: string) =>
      getMessage({ ...endBy(reason), ...(reason === "tool_use" ? { content: [NOON, CALL] } : {}) }),
  },
  rows: REASONS,
};

const streamed = (reason: string, isCall = reason === "tool_use"): Json[] => [
  messageStart(),
  ...streamBlock(0, TEXT_BLOCK, [textDelta("It is noon.")]),
  ...(isCall ? streamBlock(1, CALL, [{ type: "input_json_delta", partial_json: "{}" }]) : []),
  ...messageEnd(endBy(reason)),
];

/** The same in a stream. */
export const STREAMED_STOP_REASONS: CoverageTable = {
  ...STOP_REASONS,
  title: "Messages: stop reasons of streams",
  trial: { kind: "stream", without: streamed("end_turn"), place: (reason: string) => streamed(reason) },
  rows: {
    ...REASONS,
    end_turn: { ...REASONS.end_turn, without: streamed("max_tokens") },
    stop_sequence: { ...REASONS.stop_sequence, without: streamed("max_tokens") },
    tool_use: { ...REASONS.tool_use, without: streamed("max_tokens", true) },
  },
};

/** Why Anthropic refused. */
export const REFUSAL_CATEGORIES: CoverageTable = {
  title: "Messages: categories of refusals",
  dialect: "anthropic-messages",
  union: { declarations: "anthropic", type: "BetaRefusalStopDetails", path: ["category"], members: "values" },
  trial: {
    kind: "response",
    without: getMessage({ stop_reason: "refusal", stop_details: { ...REFUSAL, category: null } }),
    place: (category: string) => getMessage({ stop_reason: "refusal", stop_details: { ...REFUSAL, category } }),
  },
  rows: {
    cyber: {
      example: "cyber",
      ...everywhere(leftOut("no other format has categories; the refusal and its explanation are there")),
    },
    bio: {
      example: "bio",
      ...everywhere(leftOut("no other format has categories; the refusal and its explanation are there")),
    },
    frontier_llm: {
      example: "frontier_llm",
      ...everywhere(leftOut("no other format has categories; the refusal and its explanation are there")),
    },
    reasoning_extraction: {
      example: "reasoning_extraction",
      ...everywhere(leftOut("no other format has categories; the refusal and its explanation are there")),
    },
    general_harms: {
      example: "general_harms",
      ...everywhere(leftOut("no other format has categories; the refusal and its explanation are there")),
    },
  },
};
