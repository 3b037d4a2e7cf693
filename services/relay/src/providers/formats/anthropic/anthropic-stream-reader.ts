import { toFinishPart } from "../../../core/chat/finish-reasons.ts";
import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { toRefusal } from "../../../core/chat/refusals.ts";
import { asNumber, asObject, asText, compact } from "../../../core/chat/json.ts";
import { errorInside, parseEventData } from "../../shared/upstream-failure.ts";
import type { StreamEvent, StreamReader } from "../../../core/wire/stream.ts";
import { createUsageTally } from "./anthropic-usage.ts";
import { MessageStop } from "./message-stop.ts";
import { ContentBlocks, DELTA } from "./content-blocks.ts";

/** Parses Anthropic's events; the finish is emitted at message_stop, when all usage is known. */
export function newAnthropicStreamReader(): StreamReader {
  const usage = createUsageTally();
  const blocks = new ContentBlocks({ onSearch: usage.addSearch, onCompaction: usage.addCompaction });
  const stop = new MessageStop();
  let isStarted = false;
  let isComplete = false;
  let isFinished = false;

  function readStart(message: Json): StreamPart[] {
    usage.add(message["usage"]);
    if (isStarted) return [];
    isStarted = true;
    const id = asText(message["id"]) ?? "";
    return [compact({ type: "start" as const, id, model: asText(message["model"]) ?? "", usage: usage.total() })];
  }

  function readMessageDelta(event: Json): void {
    stop.add(asObject(event["delta"]));
    usage.add(event["usage"]);
  }

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const ended = { ...toFinishPart(stop.getReason(blocks.isResponseOnly()), stop.word), ...stop.getFields() };
    const explained = toRefusal(stop.explanation).map((part) => ({ ...part, type: "text-delta" as const }));
    return [...explained, { type: "finish", ...ended, usage: usage.total(), ...blocks.citations() }];
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
    usageSoFar: usage.soFar,
    skim: ({ event, data }) => (isStarted && event === DELTA ? blocks.skim(data) : undefined),
  };
}
