import { toFinishPart } from "../../core/chat/finish-reasons.ts";
import type { FinishReason, Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asNumber, asObject, asText } from "../../core/chat/json.ts";
import { newToolCallId } from "../../core/chat/tool-calls.ts";
import { parseEventData } from "../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../core/wire/stream.ts";
import { readCohereFinish, readCohereUsage } from "./cohere-response.ts";

const DONE = "[DONE]";

function readContent(message: Json): StreamPart[] {
  const content = asObject(message["content"]);
  const thinking = asText(content?.["thinking"]);
  if (thinking) return [{ type: "reasoning-delta", text: thinking }];
  const text = asText(content?.["text"]);
  return text ? [{ type: "text-delta", text }] : [];
}

function readToolPlan(message: Json): StreamPart[] {
  const text = asText(message["tool_plan"]);
  return text ? [{ type: "reasoning-delta", text }] : [];
}

function readArguments(index: number, fn: Json | undefined): StreamPart[] {
  const argumentsText = asText(fn?.["arguments"]);
  return argumentsText ? [{ type: "tool-call-delta", index, argumentsText }] : [];
}

/** The tool calls of a stream, numbered from 0 without gaps; upstream numbers them among all content. */
class ToolCalls {
  readonly #indexes = new Map<number, number>();

  start(upstreamIndex: number, message: Json): StreamPart[] {
    const call = asObject(message["tool_calls"]);
    const fn = asObject(call?.["function"]);
    const index = this.#indexes.size;
    this.#indexes.set(upstreamIndex, index);
    const id = asText(call?.["id"]) || newToolCallId();
    return [{ type: "tool-call-start", index, id, name: asText(fn?.["name"]) ?? "" }, ...readArguments(index, fn)];
  }

  delta(upstreamIndex: number, message: Json): StreamPart[] {
    const index = this.#indexes.get(upstreamIndex);
    const fn = asObject(asObject(message["tool_calls"])?.["function"]);
    return index === undefined ? [] : readArguments(index, fn);
  }
}

/** Parses the events of Cohere's v2 chat; `message-end` carries finish reason and usage and ends the stream. */
export function newCohereStreamReader(): StreamReader {
  const calls = new ToolCalls();
  let isFinished = false;
  let isComplete = false;
  let reason: FinishReason = "other";
  let detail = "";
  let usage: ReportedUsage;

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    return [{ type: "finish", ...toFinishPart(reason, detail), usage }];
  }

  function readEnd(delta: Json): StreamPart[] {
    usage = readCohereUsage(delta["usage"]) ?? usage;
    detail = asText(delta["finish_reason"]) ?? "";
    reason = readCohereFinish(detail, delta["error"]);
    isComplete = true;
    return finish();
  }

  function readEvent(event: Json): StreamPart[] {
    const delta = asObject(event["delta"]) ?? {};
    const message = asObject(delta["message"]) ?? {};
    const index = asNumber(event["index"]) ?? 0;
    switch (event["type"]) {
      case "message-start":
        return [{ type: "start", id: asText(event["id"]) ?? "", model: "" }];
      case "content-start":
      case "content-delta":
        return readContent(message);
      case "tool-plan-delta":
        return readToolPlan(message);
      case "tool-call-start":
        return calls.start(index, message);
      case "tool-call-delta":
        return calls.delta(index, message);
      case "message-end":
        return readEnd(delta);
      default:
        return []; // Citations, block ends, and event types added in the future.
    }
  }

  return {
    read: ({ data }: StreamEvent): StreamPart[] => (data === DONE ? [] : readEvent(parseEventData(data))),
    end: finish,
    isComplete: () => isComplete,
  };
}
