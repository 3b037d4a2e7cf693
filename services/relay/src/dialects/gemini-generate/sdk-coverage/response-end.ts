import type { Json } from "../../../core/chat/chat.ts";
import { type CoverageTable, converted, everywhere, refused } from "../../sdk-coverage/coverage-table.ts";
import { getCandidate, getResponse } from "./generate-bodies.ts";

const NOTHING = { role: "model", parts: [] };

/** A response that ended for a reason, with text, or without any for reasons that leave none. */
const endBy = (finishReason: string): Json => getResponse({ candidates: [getCandidate({ finishReason })] });
const endWithout = (finishReason: string): Json =>
  getResponse({
    candidates: [getCandidate({ content: NOTHING, finishReason })],
    usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
  });

const EMPTY: ReadonlySet<string> = new Set([
  "NO_IMAGE",
  "IMAGE_OTHER",
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
]);
const place = (reason: string): Json => (EMPTY.has(reason) ? endWithout(reason) : endBy(reason));

const ROWS = {
  STOP: {
    example: "STOP",
    without: endBy("MAX_TOKENS"),
    "openai-chat": converted("`stop`, or `tool_calls` after calls"),
    "openai-responses": converted("`completed`"),
    "anthropic-messages": converted("`end_turn`, or `tool_use` after calls"),
  },
  MAX_TOKENS: {
    example: "MAX_TOKENS",
    "openai-chat": converted("`length`"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    "anthropic-messages": converted("`max_tokens`"),
  },
  CONTINUATION: {
    example: "CONTINUATION",
    "openai-chat": converted("`length`"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    "anthropic-messages": converted("`max_tokens`"),
  },
  SAFETY: {
    example: "SAFETY",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  RECITATION: {
    example: "RECITATION",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  LANGUAGE: {
    example: "LANGUAGE",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  BLOCKLIST: {
    example: "BLOCKLIST",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  PROHIBITED_CONTENT: {
    example: "PROHIBITED_CONTENT",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  SPII: {
    example: "SPII",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  IMAGE_SAFETY: {
    example: "IMAGE_SAFETY",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  IMAGE_PROHIBITED_CONTENT: {
    example: "IMAGE_PROHIBITED_CONTENT",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  IMAGE_RECITATION: {
    example: "IMAGE_RECITATION",
    "openai-chat": converted("`content_filter`"),
    "openai-responses": converted("`incomplete`, content_filter"),
    "anthropic-messages": converted("`refusal`"),
  },
  IMAGE_OTHER: {
    example: "IMAGE_OTHER",
    ...everywhere(refused("there is nothing to return; the error names the reason, tokens are charged")),
  },
  NO_IMAGE: {
    example: "NO_IMAGE",
    ...everywhere(refused("there is nothing to return; the error names the reason, tokens are charged")),
  },
  OTHER: {
    example: "OTHER",
    "openai-chat": converted("`length`: the response may not be complete"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    "anthropic-messages": converted("`max_tokens`"),
  },
  FINISH_REASON_UNSPECIFIED: {
    example: "FINISH_REASON_UNSPECIFIED",
    "openai-chat": converted("`length`: the response may not be complete"),
    "openai-responses": converted("`incomplete`, max_output_tokens"),
    "anthropic-messages": converted("`max_tokens`"),
  },
  MALFORMED_FUNCTION_CALL: {
    example: "MALFORMED_FUNCTION_CALL",
    ...everywhere(refused("the model's call was dropped; the error names the reason, tokens are charged")),
  },
  UNEXPECTED_TOOL_CALL: {
    example: "UNEXPECTED_TOOL_CALL",
    ...everywhere(refused("the model's call was dropped; the error names the reason, tokens are charged")),
  },
  TOO_MANY_TOOL_CALLS: {
    example: "TOO_MANY_TOOL_CALLS",
    ...everywhere(refused("the model's call was dropped; the error names the reason, tokens are charged")),
  },
};

/** Why a response ended. */
export const FINISH_REASONS: CoverageTable = {
  title: "Gemini: finish reasons",
  dialect: "gemini",
  union: { declarations: "gemini", type: "FinishReason", members: "values" },
  trial: { kind: "response", without: endBy("STOP"), place },
  rows: ROWS,
};

/** A text, then an event that ends the response. */
const stream = (finishReason: string): Json[] => [
  getResponse({ candidates: [{ content: { role: "model", parts: [{ text: "It is noon." }] }, index: 0 }] }),
  getResponse({ candidates: [getCandidate({ content: NOTHING, finishReason })] }),
];

const FAILED = everywhere(converted("an error after the text that names the reason; tokens are charged"));
const INCOMPLETE = {
  "openai-chat": converted("`length`: the response may not be complete"),
  "openai-responses": converted("`incomplete`, max_output_tokens"),
  "anthropic-messages": converted("`max_tokens`"),
};
/** Text was sent before the reason. */
const STREAMED = {
  MALFORMED_FUNCTION_CALL: { example: "MALFORMED_FUNCTION_CALL", ...FAILED },
  UNEXPECTED_TOOL_CALL: { example: "UNEXPECTED_TOOL_CALL", ...FAILED },
  TOO_MANY_TOOL_CALLS: { example: "TOO_MANY_TOOL_CALLS", ...FAILED },
  NO_IMAGE: { example: "NO_IMAGE", ...INCOMPLETE },
  IMAGE_OTHER: { example: "IMAGE_OTHER", ...INCOMPLETE },
};

/** The same in a stream, after text. */
export const STREAMED_FINISH_REASONS: CoverageTable = {
  ...FINISH_REASONS,
  title: "Gemini: finish reasons of streams",
  trial: { kind: "stream", without: stream("STOP"), place: stream },
  rows: {
    ...ROWS,
    ...STREAMED,
    STOP: { ...ROWS.STOP, without: stream("MAX_TOKENS") },
  },
};

/** Why a prompt was blocked. */
export const BLOCKED_REASONS: CoverageTable = {
  title: "Gemini: reasons of blocked prompts",
  dialect: "gemini",
  union: { declarations: "gemini", type: "BlockedReason", members: "values" },
  trial: {
    kind: "response",
    without: getResponse(),
    place: (blockReason: string) => ({
      promptFeedback: { blockReason },
      usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
      modelVersion: "gemini-2.5-flash",
    }),
  },
  rows: {
    SAFETY: { example: "SAFETY", ...everywhere(refused("content policy, with the reason; the prompt is charged")) },
    OTHER: { example: "OTHER", ...everywhere(refused("content policy, with the reason; the prompt is charged")) },
    BLOCKLIST: {
      example: "BLOCKLIST",
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
    PROHIBITED_CONTENT: {
      example: "PROHIBITED_CONTENT",
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
    IMAGE_SAFETY: {
      example: "IMAGE_SAFETY",
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
    MODEL_ARMOR: {
      example: "MODEL_ARMOR",
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
    JAILBREAK: {
      example: "JAILBREAK",
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
    BLOCKED_REASON_UNSPECIFIED: {
      example: "BLOCKED_REASON_UNSPECIFIED",
      ...everywhere(refused("content policy, with the reason; the prompt is charged")),
    },
  },
};
