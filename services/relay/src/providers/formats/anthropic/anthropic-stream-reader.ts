import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { asNumber, asObject, asText, compact } from "../../../core/chat/json.ts";
import { errorInside, parseEventData } from "../../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../../core/wire/stream.ts";
import { createUsageTally, readStopReason } from "./anthropic-usage.ts";
import { toFinishReason } from "./claude-response-tool.ts";
import { ContentBlocks, DELTA } from "./content-blocks.ts";

/** Parses Anthropic's events; the finish is emitted at message_stop, when all usage is known. */
export function newAnthropicStreamReader(): StreamReader {
  const usage = createUsageTally();
  const blocks = new ContentBlocks(usage.addSearch);
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

  function readMessageDelta(event: Json): void {
    const delta = asObject(event["delta"]);
    stopReason = asText(delta?.["stop_reason"]) ?? stopReason;
    stopSequence = asText(delta?.["stop_sequence"]) ?? stopSequence;
    usage.add(event["usage"]);
  }

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const reason = toFinishReason(readStopReason(stopReason), blocks.isResponseOnly());
    const sequence = stopSequence === undefined ? {} : { stopSequence };
    return [{ type: "finish", reason, usage: usage.total(), ...sequence, ...blocks.citations() }];
  }

  return {
    read({ data }: StreamEvent): StreamPart[] {
      const event = parseEventData(data);
      const blockIndex = asNumber(event["index"]) ?? -1;
      switch (event["type"]) {
        case "message_start":
          return readStart(asObject(event["message"]) ?? {});
        case "content_block_start":
          return blocks.start(blockIndex, asObject(event["content_block"]) ?? {});
        case DELTA:
          return blocks.delta(blockIndex, asObject(event["delta"]) ?? {});
        case "content_block_stop":
          blocks.stop();
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
    skim: ({ event, data }) => (isStarted && event === DELTA ? blocks.skim(data) : undefined),
  };
}
