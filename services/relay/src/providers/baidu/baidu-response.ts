import { toFinishPart } from "../../core/chat/finish-reasons.ts";
import type { ChatResponse, FinishReason, Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asCount, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { newToolCallId } from "../../core/chat/tool-calls.ts";
import { getFailure, parseEventData, unreadableResponse } from "../shared/upstream-failure.ts";
import { StreamFailure, type StreamEvent, type StreamReader } from "../../core/wire/stream.ts";
import { toResponse } from "../shared/event-list.ts";

const DONE = "[DONE]";
const STATUS: Readonly<Record<number, number>> = {
  1: 500,
  2: 503,
  4: 429,
  6: 403,
  13: 401,
  14: 401,
  15: 401,
  17: 429,
  18: 429,
  19: 429,
  110: 401,
  111: 401,
  336100: 503,
};

const getStatus = (code: number): number => STATUS[code] ?? (code >= 336000 && code < 336200 ? 400 : 502);

/** The failure in `error_code`, which has status 200; undefined for a response. */
export function baiduFailure(body: Json): StreamFailure | undefined {
  const code = asNumber(body["error_code"]) ?? 0;
  if (code === 0) return undefined;
  const message = asText(body["error_msg"]) || "upstream returned an error";
  return new StreamFailure(getFailure(message, { code: String(code) }), getStatus(code));
}

function readUsage(value: unknown): ReportedUsage {
  const usage = asObject(value);
  if (!usage) return undefined;
  const promptTokens = asCount(usage["prompt_tokens"]);
  const rest = Math.max(0, asCount(usage["total_tokens"]) - promptTokens);
  return {
    promptTokens,
    completionTokens: asNumber(usage["completion_tokens"]) === undefined ? rest : asCount(usage["completion_tokens"]),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  normal: "stop",
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  function_call: "tool-calls",
};

/**
 * Parses chunks, each with its part of `result`; `is_end` marks the last. A non-streaming response is one such chunk.
 */
function createChunkReader() {
  let isStarted = false;
  let isFinished = false;
  let isEnded = false;
  let calls = 0;
  let finishWord = "";
  let usage: ReportedUsage;

  function readCall(call: Json): StreamPart[] {
    const index = calls++;
    return [
      { type: "tool-call-start", index, id: newToolCallId(), name: asText(call["name"]) ?? "" },
      { type: "tool-call-delta", index, argumentsText: asText(call["arguments"]) ?? "" },
    ];
  }

  function reason(): FinishReason {
    if (calls > 0) return "tool-calls";
    return FINISH[finishWord] ?? (finishWord === "" ? "stop" : "other");
  }

  return {
    readChunk(chunk: Json): StreamPart[] {
      const failure = baiduFailure(chunk);
      if (failure) throw failure;
      const start: StreamPart[] = isStarted ? [] : [{ type: "start", id: asText(chunk["id"]) ?? "", model: "" }];
      isStarted = true;
      usage = readUsage(chunk["usage"]) ?? usage;
      finishWord = asText(chunk["finish_reason"]) || (chunk["is_truncated"] === true ? "length" : finishWord);
      isEnded ||= chunk["is_end"] === true;
      const text = asText(chunk["result"]);
      const call = asObject(chunk["function_call"]);
      return [...start, ...(text ? [{ type: "text-delta" as const, text }] : []), ...(call ? readCall(call) : [])];
    },
    finish(): StreamPart[] {
      if (isFinished) return [];
      isFinished = true;
      return [{ type: "finish", ...toFinishPart(reason(), finishWord), usage }];
    },
    isEnded: () => isEnded,
  };
}

/** Parses a non-streaming response. Throws StreamFailure for errors and anything else. */
export function parseBaiduResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  const chunks = createChunkReader();
  const parts = chunks.readChunk(body);
  if (asText(body["result"]) === undefined && !body["function_call"]) throw unreadableResponse();
  return { ...toResponse([...parts, ...chunks.finish()]), createdAtSeconds: asCount(body["created"]) };
}

export function newBaiduStreamReader(): StreamReader {
  const chunks = createChunkReader();
  return {
    read({ data }: StreamEvent): StreamPart[] {
      if (data === DONE) return [];
      const parts = chunks.readChunk(parseEventData(data));
      return chunks.isEnded() ? [...parts, ...chunks.finish()] : parts;
    },
    end: chunks.finish,
    isComplete: chunks.isEnded,
  };
}
