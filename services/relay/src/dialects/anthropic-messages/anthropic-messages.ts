import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { asNumber, asObject } from "../../core/chat/json.ts";
import type { Dialect, LimitHeaders, OutputBound } from "../../core/call/dialect.ts";
import { atMost, readChatFields } from "../shared/chat-fields.ts";
import { writeAnthropicError } from "./anthropic-error.ts";
import { storedFiles } from "./anthropic-files.ts";
import { parseAnthropicRequest } from "./anthropic-request.ts";
import { writeAnthropicResponse } from "./anthropic-response.ts";
import { getAdvisorModels, getOwnTools } from "./anthropic-server-tools.ts";
import { newAnthropicStreamWriter } from "./anthropic-stream.ts";
import { isSummaryCall, parseSummaryCall, SummaryStreamWriter, writeSummary } from "./conversation-summary.ts";
import { requireObject } from "../shared/fields.ts";

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

function parseRequest(value: unknown): ChatRequest {
  const body = requireObject(value, "body");
  return isSummaryCall(body) ? parseSummaryCall(body) : parseAnthropicRequest(body);
}

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
  parseRequest,
  writeResponse: (response, context) =>
    (isSummaryCall(context.requested) ? writeSummary : writeAnthropicResponse)(response, context),
  newStreamWriter: (context) =>
    isSummaryCall(context.requested) ? new SummaryStreamWriter(context) : newAnthropicStreamWriter(context),
  writeError: writeAnthropicError,
} satisfies Dialect;
