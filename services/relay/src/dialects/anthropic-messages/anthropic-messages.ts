import type { Json } from "../../core/chat/chat.ts";
import { asNumber, asObject } from "../../core/chat/json.ts";
import type { Dialect, LimitHeaders, OutputBound } from "../../core/call/dialect.ts";
import { atMost, readChatFields } from "../shared/chat-fields.ts";
import { writeAnthropicError } from "./anthropic-error.ts";
import { storedFiles } from "./anthropic-files.ts";
import { parseAnthropicRequest } from "./anthropic-request.ts";
import { writeAnthropicResponse } from "./anthropic-response.ts";
import { getAdvisorModels, getOwnTools } from "./anthropic-server-tools.ts";
import { newAnthropicStreamWriter } from "./anthropic-stream.ts";

function boundOutput(body: Json, tokens: number): OutputBound {
  if (tokens <= (asNumber(asObject(body["thinking"])?.["budget_tokens"]) ?? 0))
    return { needed: "the thinking budget" };
  return { fields: { max_tokens: atMost(body["max_tokens"], tokens) } };
}

/** Anthropic's headers carry the time of the reset. Source: Anthropic API reference, "Rate limits". */
const limitHeaders: LimitHeaders = {
  toName: (unit, value) => `anthropic-ratelimit-${unit}-${value}`,
  writeReset: (resetMs, nowMs) => new Date(nowMs + resetMs).toISOString().replace(/\.\d+Z$/, "Z"),
};

/** Anthropic's Messages API, as used by its SDKs and Claude Code. */
export const anthropicMessages = {
  name: "anthropic-messages",
  fallbackField: "fallbacks",
  logsAsClaude: true,
  boundOutput,
  limitHeaders,
  getOwnTools,
  getInnerModels: getAdvisorModels,
  storedFiles,
  readFields: readChatFields,
  parseRequest: parseAnthropicRequest,
  writeResponse: writeAnthropicResponse,
  newStreamWriter: newAnthropicStreamWriter,
  writeError: writeAnthropicError,
} satisfies Dialect;
