import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { asNumber, asObject, asText, compact } from "../../../core/chat/json.ts";
import { errorInside, parseEventData } from "../../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../../core/wire/stream.ts";
import { finishOfAnswer, isOutputTool } from "./claude-answer-tool.ts";
import { createUsageTally, readStopReason } from "./anthropic-usage.ts";
import { createCitations } from "./claude-web-search.ts";

/** Whether a tool call's input was complete in its start event, as in replays. */
const hasFields = (input: unknown): boolean => Object.keys(asObject(input) ?? {}).length > 0;

/** Parses Anthropic's events; the finish is emitted at message_stop, when all usage is known. */
export function newAnthropicStreamReader(): StreamReader {
  const usage = createUsageTally();
  const toolIndexes = new Map<number, number>();
  const answerBlocks = new Set<number>();
  const citations = createCitations();
  let isStarted = false;
  let isComplete = false;
  let isFinished = false;
  let stopReason = "";
  let stopSequence: string | undefined;

  function readStart(message: Json): StreamPart[] {
    usage.add(message["usage"]);
    if (isStarted) return [];
    isStarted = true;
    const id = asText(message["id"]) ?? "";
    return [compact({ type: "start" as const, id, model: asText(message["model"]) ?? "", usage: usage.total() })];
  }

  function readAnswerStart(blockIndex: number, input: unknown): StreamPart[] {
    answerBlocks.add(blockIndex);
    return hasFields(input) ? [{ type: "text-delta", text: JSON.stringify(input) }] : [];
  }

  function readToolStart(blockIndex: number, block: Json): StreamPart[] {
    if (isOutputTool(block["name"])) return readAnswerStart(blockIndex, block["input"]);
    const index = toolIndexes.size;
    toolIndexes.set(blockIndex, index);
    const start: StreamPart = {
      type: "tool-call-start",
      index,
      id: asText(block["id"]) ?? "",
      name: asText(block["name"]) ?? "",
    };
    if (!hasFields(block["input"])) return [start];
    return [start, { type: "tool-call-delta", index, argumentsText: JSON.stringify(block["input"]) }];
  }

  function readBlockStart(blockIndex: number, block: Json): StreamPart[] {
    switch (block["type"]) {
      case "text":
        return asText(block["text"]) ? [{ type: "text-delta", text: asText(block["text"]) ?? "" }] : [];
      case "thinking":
        return asText(block["thinking"]) ? [{ type: "reasoning-delta", text: asText(block["thinking"]) ?? "" }] : [];
      case "redacted_thinking":
        return [{ type: "redacted-reasoning", data: asText(block["data"]) ?? "" }];
      case "tool_use":
        return readToolStart(blockIndex, block);
      default: // Blocks of server tools have no equivalent outside Anthropic's format.
        if (block["type"] === "web_search_tool_result") usage.addSearch();
        return [];
    }
  }

  function readDelta(blockIndex: number, delta: Json): StreamPart[] {
    switch (delta["type"]) {
      case "text_delta":
        return [{ type: "text-delta", text: asText(delta["text"]) ?? "" }];
      case "thinking_delta":
        return [{ type: "reasoning-delta", text: asText(delta["thinking"]) ?? "" }];
      case "signature_delta":
        return [{ type: "reasoning-signature", signature: asText(delta["signature"]) ?? "" }];
      case "input_json_delta": {
        const index = toolIndexes.get(blockIndex);
        const argumentsText = asText(delta["partial_json"]) ?? "";
        if (answerBlocks.has(blockIndex)) return argumentsText ? [{ type: "text-delta", text: argumentsText }] : [];
        return index === undefined || argumentsText === "" ? [] : [{ type: "tool-call-delta", index, argumentsText }];
      }
      case "citations_delta":
        citations.cite(delta["citation"]);
        return [];
      default:
        return [];
    }
  }

  /** The offset of a citation is given by the text before it. */
  function noteText(parts: StreamPart[]): StreamPart[] {
    for (const part of parts) if (part.type === "text-delta") citations.text(part.text);
    return parts;
  }

  function readMessageDelta(event: Json): void {
    const delta = asObject(event["delta"]);
    stopReason = asText(delta?.["stop_reason"]) ?? stopReason;
    stopSequence = asText(delta?.["stop_sequence"]) ?? stopSequence;
    usage.add(event["usage"]);
  }

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const total = usage.total();
    const reason = finishOfAnswer(readStopReason(stopReason), answerBlocks.size > 0 && toolIndexes.size === 0);
    const sequence = stopSequence === undefined ? {} : { stopSequence };
    return [{ type: "finish", reason, usage: total, ...sequence, ...citations.field() }];
  }

  return {
    read({ data }: StreamEvent): StreamPart[] {
      const event = parseEventData(data);
      const blockIndex = asNumber(event["index"]) ?? -1;
      switch (event["type"]) {
        case "message_start":
          return readStart(asObject(event["message"]) ?? {});
        case "content_block_start":
          return noteText(readBlockStart(blockIndex, asObject(event["content_block"]) ?? {}));
        case "content_block_delta":
          return noteText(readDelta(blockIndex, asObject(event["delta"]) ?? {}));
        case "content_block_stop":
          citations.blockEnded();
          return [];
        case "message_delta":
          readMessageDelta(event);
          return [];
        case "message_stop":
          isComplete = true;
          return finish();
        case "error":
          throw errorInside(event);
        default:
          return []; // ping, and event types added in the future.
      }
    },
    end: finish,
    isComplete: () => isComplete,
    usageSoFar: usage.total,
  };
}
