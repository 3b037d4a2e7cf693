import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ChatResponse, ReportedUsage, StreamPart } from "../../../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../../../core/chat/json.ts";
import { toAudioTokens } from "../../../../accounting/tokens/audio-seconds.ts";
import { toResponse, parseObject } from "../../../shared/endpoints/endpoint-provider.ts";
import { errorInside, parseEventData, unreadableResponse } from "../../../shared/upstream-failure.ts";
import type { StreamReader } from "../../../../core/wire/stream.ts";
import { readInputOutputUsage } from "./openai-image-response.ts";

/** Tokens, or the recording's duration in seconds; undefined if neither is reported. */
function readUsage(usage: unknown, duration?: unknown): ReportedUsage {
  const tokens = readInputOutputUsage(usage);
  if (tokens) return tokens;
  const seconds = asNumber(asObject(usage)?.["seconds"]) ?? asNumber(duration);
  if (seconds === undefined || seconds <= 0) return undefined;
  return { ...NO_USAGE, promptTokens: toAudioTokens(seconds), seconds: Math.ceil(seconds) };
}

/** Parses a transcript: JSON, or plain text (text, srt, vtt). Throws StreamFailure for errors and HTML pages. */
export function parseTranscript(value: unknown): ChatResponse {
  if (typeof value === "string") {
    // An empty body, an incomplete document or an HTML page; the transcript of a silent recording has at least a line
    // end.
    if (value === "" || value === "null" || /^\s*(?:[{[]|<(!doctype|html))/i.test(value)) throw unreadableResponse();
    return toResponse(undefined);
  }
  const body = parseObject(value);
  if (typeof body["text"] !== "string" && !Array.isArray(body["segments"])) throw unreadableResponse();
  return toResponse(readUsage(body["usage"], body["duration"]));
}

/** Parses the events of a streamed transcript; the final event reports its usage. */
export function newTranscriptReader(): StreamReader {
  let usage: ReportedUsage;
  let isComplete = false;
  return {
    read({ event, data }): StreamPart[] {
      if (data === "[DONE]") return [];
      const body = parseEventData(data);
      if (body["error"] || event === "error" || body["type"] === "error") throw errorInside(body);
      if (body["type"] === "transcript.text.done") {
        isComplete = true;
        usage = readUsage(body["usage"]);
      }
      const delta = body["type"] === "transcript.text.delta" ? asText(body["delta"]) : undefined;
      return delta ? [{ type: "text-delta", text: delta }] : [];
    },
    end: () => [{ type: "finish", reason: "stop", usage }],
    isComplete: () => isComplete,
  };
}
