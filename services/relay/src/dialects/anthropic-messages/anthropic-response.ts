import { mediaAsParts } from "../../chat/answer-media.ts";
import type { ChatResponse, ContentPart } from "../../chat/chat.ts";
import { toolArguments } from "../../chat/tool-calls.ts";
import type { AnswerContext } from "../dialect.ts";
import { ANTHROPIC_STOP, anthropicUsage, messageId, toolNamesOf } from "./anthropic-wire.ts";

function writeBlock(part: ContentPart, ownName: (name: string) => string): object[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "reasoning":
      return [{ type: "thinking", thinking: part.text, signature: part.signature ?? "" }];
    case "redacted-reasoning":
      return [{ type: "redacted_thinking", data: part.data }];
    case "tool-call":
      return [{ type: "tool_use", id: part.id, name: ownName(part.name), input: toolArguments(part.argumentsText) }];
    default:
      return []; // Models answer with nothing else.
  }
}

/** A `message` object. */
export function writeAnthropicResponse(response: ChatResponse, context: AnswerContext): unknown {
  const ownName = toolNamesOf(context);
  return {
    id: messageId(response.id, context.requestId),
    type: "message",
    role: "assistant",
    model: context.model,
    content: mediaAsParts(response.parts).flatMap((part) => writeBlock(part, ownName)),
    stop_reason: ANTHROPIC_STOP[response.finishReason],
    stop_sequence: response.stopSequence ?? null,
    usage: anthropicUsage(response.usage),
  };
}
