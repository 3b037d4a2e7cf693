import type { Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asCount, asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { newToolCallId } from "../../core/chat/tool-calls.ts";
import { getFailure, parseEventData } from "../shared/upstream-failure.ts";
import { StreamFailure, type StreamEvent, type StreamReader } from "../../core/wire/stream.ts";

const LAST = 2;

/** The HTTP status for an error code; other codes that begin with 101 are errors of the request. */
const STATUS: Readonly<Record<number, number>> = {
  10003: 400,
  10004: 400,
  10005: 401,
  10007: 429,
  10013: 400,
  10014: 400,
  10019: 400,
  10110: 503,
  10313: 401,
  10907: 400,
  11200: 401,
  11201: 401,
  11202: 429,
  11203: 429,
};
const getStatus = (code: number): number => STATUS[code] ?? (code >= 10100 && code < 10200 ? 400 : 502);

function readUsage(payload: Json): ReportedUsage {
  const usage = asObject(asObject(payload["usage"])?.["text"]);
  if (!usage) return undefined;
  return {
    promptTokens: asCount(usage["prompt_tokens"]),
    completionTokens: asCount(usage["completion_tokens"]),
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
}

/** The failure reported by a message; undefined for one with content. */
function failureIn(header: Json): StreamFailure | undefined {
  const code = asNumber(header["code"]) ?? 0;
  if (code === 0) return undefined;
  const message = asText(header["message"]) || "upstream returned an error";
  return new StreamFailure(getFailure(message, { code: String(code) }), getStatus(code));
}

/** Parses the messages of one session on the socket; status 2 marks the last message, which carries the usage. */
export function newIflytekStreamReader(): StreamReader {
  let isStarted = false;
  let isFinished = false;
  let isComplete = false;
  let calls = 0;
  let usage: ReportedUsage;

  function readText(text: Json): StreamPart[] {
    const reasoning = asText(text["reasoning_content"]);
    const content = asText(text["content"]);
    const call = asObject(text["function_call"]);
    const parts: StreamPart[] = [];
    if (reasoning) parts.push({ type: "reasoning-delta", text: reasoning });
    if (content) parts.push({ type: "text-delta", text: content });
    if (call) {
      const index = calls++;
      parts.push({ type: "tool-call-start", index, id: newToolCallId(), name: asText(call["name"]) ?? "" });
      parts.push({ type: "tool-call-delta", index, argumentsText: asText(call["arguments"]) ?? "" });
    }
    return parts;
  }

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    return [{ type: "finish", reason: calls > 0 ? "tool-calls" : "stop", usage }];
  }

  return {
    read({ data }: StreamEvent): StreamPart[] {
      const message = parseEventData(data);
      const header = asObject(message["header"]) ?? {};
      const failure = failureIn(header);
      if (failure) throw failure;
      const payload = asObject(message["payload"]) ?? {};
      const choices = asObject(payload["choices"]);
      const start: StreamPart[] = isStarted ? [] : [{ type: "start", id: asText(header["sid"]) ?? "", model: "" }];
      isStarted = true;
      usage = readUsage(payload) ?? usage;
      const parts = asList(choices?.["text"]).flatMap((text) => readText(asObject(text) ?? {}));
      isComplete = header["status"] === LAST || choices?.["status"] === LAST;
      return [...start, ...parts, ...(isComplete ? finish() : [])];
    },
    end: finish,
    isComplete: () => isComplete,
  };
}
