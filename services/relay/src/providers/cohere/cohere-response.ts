import { toFinish } from "../../core/chat/finish-reasons.ts";
import type { ChatResponse, ContentPart, FinishReason, Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { getFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import { readToolCall } from "../formats/openai/openai-tool-calls.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

/** Cohere's billed tokens; if they are not reported, the tokens the model read and wrote. */
export function readCohereUsage(value: unknown): ReportedUsage {
  const usage = asObject(value);
  const billed = asObject(usage?.["billed_units"]);
  const isBilled = asNumber(billed?.["input_tokens"]) !== undefined;
  const figures = isBilled ? billed : asObject(usage?.["tokens"]);
  if (!figures) return undefined;
  return {
    promptTokens: asCount(figures["input_tokens"]),
    completionTokens: asCount(figures["output_tokens"]),
    // Refers to the tokens read, not to the billed ones.
    cacheReadTokens: isBilled ? 0 : asCount(usage?.["cached_tokens"]),
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  COMPLETE: "stop",
  STOP_SEQUENCE: "stop-sequence",
  MAX_TOKENS: "length",
  TOOL_CALL: "tool-calls",
  "": "stop",
};

/** Maps the finish reason. Throws StreamFailure for reasons that mean a failure. */
export function readCohereFinish(word: string, error: unknown): FinishReason {
  if (!word.startsWith("ERROR") && word !== "TIMEOUT") return FINISH[word] ?? "other";
  const message = asText(error) || "upstream aborted the response";
  throw new StreamFailure(getFailure(message, { type: "upstream_error", code: word }), word === "TIMEOUT" ? 504 : 502);
}

function readBlock(value: unknown): ContentPart[] {
  const block = asObject(value);
  const thinking = asText(block?.["thinking"]);
  if (thinking) return [{ type: "reasoning", text: thinking }];
  const text = asText(block?.["text"]);
  return text ? [{ type: "text", text }] : [];
}

/** The plan before tool calls is reasoning. */
function readMessage(message: Json): ContentPart[] {
  const plan = asText(message["tool_plan"]);
  return [
    ...(plan ? [{ type: "reasoning" as const, text: plan }] : []),
    ...asList(message["content"]).flatMap(readBlock),
    ...asList(message["tool_calls"]).flatMap(readToolCall),
  ];
}

/** Parses a v2 chat response into the internal form. Throws StreamFailure for anything else. */
export function parseCohereResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  const message = asObject(body?.["message"]);
  if (!body || !message) throw unreadableResponse();
  const word = asText(body["finish_reason"]) ?? "";
  return {
    id: asText(body["id"]) ?? "",
    model: "",
    createdAtSeconds: 0,
    parts: readMessage(message),
    ...toFinish(readCohereFinish(word, body["error"]), word),
    usage: readCohereUsage(body["usage"]),
  };
}
