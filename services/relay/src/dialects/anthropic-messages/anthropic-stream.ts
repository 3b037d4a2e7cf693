import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { toMarkdownMedia } from "../shared/response-media.ts";
import type { StreamPart } from "../../core/chat/chat.ts";
import { encodeCallSignature } from "../../core/chat/call-signatures.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { typedEvent } from "../shared/sse.ts";
import { writeAnthropicError } from "./anthropic-error.ts";
import { ANTHROPIC_STOP, anthropicUsage, messageId, getToolNames, stopDetails } from "./anthropic-wire.ts";
import { getCitation } from "./anthropic-web-search.ts";
import { BlockStream } from "./block-stream.ts";

type Start = Extract<StreamPart, { type: "start" }>;
type Finish = Extract<StreamPart, { type: "finish" }>;

/**
 * Most upstreams report prompt tokens only at the end, but some clients read them only at the start: until they are
 * known, an estimate is sent.
 */
const usageSoFar = (usage: Start["usage"], { estimatePromptTokens: promptTokens = 0 }: ResponseContext) =>
  anthropicUsage(usage ?? { ...NO_USAGE, promptTokens });

/** The first event. */
export const messageStart = ({ id, usage }: Pick<Start, "id" | "usage">, context: ResponseContext): string =>
  typedEvent({
    type: "message_start",
    message: {
      id: messageId(id, context.requestId),
      type: "message",
      role: "assistant",
      model: context.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageSoFar(usage, context),
    },
  });

const messageEnd = ({ reason, stopSequence, usage }: Finish, refusal: string): string =>
  typedEvent({
    type: "message_delta",
    delta: { stop_reason: ANTHROPIC_STOP[reason], stop_sequence: stopSequence ?? null, ...stopDetails(refusal) },
    usage: anthropicUsage(usage),
  }) + typedEvent({ type: "message_stop" });

/** Anthropic's event sequence: message_start, the blocks, message_delta with all usage, message_stop. */
export function newAnthropicStreamWriter(context: ResponseContext): StreamWriter {
  const blocks = new BlockStream();
  const ownName = getToolNames(context);
  let started = false;
  let refusal = "";
  const start = (part: Pick<Start, "id" | "usage">): string => {
    if (started) return "";
    started = true;
    return messageStart(part, context);
  };
  return {
    write(part: StreamPart): string {
      switch (part.type) {
        case "start":
          return start(part);
        case "text-delta":
          if (part.isRefusal) refusal += part.text;
          return blocks.text(part.text);
        case "media":
          return blocks.text(toMarkdownMedia(part));
        case "reasoning-delta":
          return part.text === "" ? "" : blocks.thinking(part.text);
        case "reasoning-signature":
          return blocks.signature(part.signature);
        case "redacted-reasoning":
          return blocks.redacted(part.data);
        case "tool-call-start":
          return blocks.toolStart({ ...part, name: ownName(part.name), seal: encodeCallSignature(part) });
        case "tool-call-delta":
          return blocks.toolDelta(part.index, part.argumentsText);
        case "other-output":
          return "";
        case "finish":
          return (
            start({ id: "" }) +
            blocks.cite((part.citations ?? []).map(getCitation)) +
            blocks.end() +
            messageEnd(part, refusal)
          );
      }
    },
    fail: (error: RelayError, requestId: string): string => typedEvent(writeAnthropicError(error, requestId)),
  };
}
