import type { ChatResponse, FinishReason, Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asCount, asNumber, asObject, asText } from "../../core/chat/json.ts";
import {
  getFailure,
  parseEventData,
  readFailure,
  getFailureStatus,
  unreadableResponse,
} from "../shared/upstream-failure.ts";
import { readOpenAiUsage } from "../formats/openai/response/openai-usage.ts";
import { StreamFailure, type StreamEvent, type StreamReader } from "../../core/wire/stream.ts";

const readUsage = (body: Json): ReportedUsage => readOpenAiUsage(asObject(body["metadata"])?.["usage"]);

/** Parses a non-streaming response. Throws StreamFailure for anything else. */
export function parseDifyResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  const response = asText(body?.["answer"]);
  if (!body || response === undefined) throw failureIn(body ?? {}) ?? unreadableResponse();
  return {
    id: asText(body["message_id"]) ?? "",
    model: "",
    createdAtSeconds: asCount(body["created_at"]),
    parts: response === "" ? [] : [{ type: "text", text: response }],
    finishReason: "stop",
    usage: readUsage(body),
  };
}

/** `{code, message, status}`, where the code is a string. */
function failureIn(body: Json): StreamFailure | undefined {
  const failure = readFailure(body);
  if (!failure) return undefined;
  const status = asNumber(body["status"]);
  return new StreamFailure(failure, status !== undefined && status >= 400 ? status : getFailureStatus(failure));
}

/** Parses the events of an app; `message_end` carries the usage and ends the stream. */
export function newDifyStreamReader(): StreamReader {
  let isStarted = false;
  let isFinished = false;
  let isComplete = false;
  let reason: FinishReason = "stop";
  let usage: ReportedUsage;

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    return [{ type: "finish", reason, usage }];
  }

  function readText(event: Json): StreamPart[] {
    const start: StreamPart[] = isStarted ? [] : [{ type: "start", id: asText(event["message_id"]) ?? "", model: "" }];
    isStarted = true;
    const text = asText(event["answer"]);
    return text ? [...start, { type: "text-delta", text }] : start;
  }

  return {
    read({ data }: StreamEvent): StreamPart[] {
      const event = parseEventData(data);
      switch (event["event"]) {
        case "message":
        case "agent_message":
          return readText(event);
        case "message_replace":
          // Moderation withdrew the response; text already sent cannot be withdrawn, so the stream ends with a content
          // filter finish.
          reason = "content-filter";
          return [];
        case "message_end": {
          usage = readUsage(event);
          isComplete = true;
          const start = isStarted ? [] : readText({});
          return [...start, ...finish()];
        }
        case "error":
          throw failureIn(event) ?? new StreamFailure(getFailure("upstream returned an error"));
        default:
          return []; // Steps of workflows and agents, audio output, pings.
      }
    },
    end: finish,
    isComplete: () => isComplete,
  };
}
