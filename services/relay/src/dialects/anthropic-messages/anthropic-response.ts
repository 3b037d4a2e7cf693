import { toMarkdownParts } from "../shared/response-media.ts";
import type { ChatResponse, Citation, ContentPart } from "../../core/chat/chat.ts";
import { encodeCallSignature } from "../../core/chat/call-signatures.ts";
import { toolArguments } from "../../core/chat/tool-calls.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { getCitation } from "./anthropic-web-search.ts";
import { getRefusal } from "../../core/chat/refusals.ts";
import { ANTHROPIC_STOP, anthropicUsage, messageId, getToolNames, stopDetails } from "./anthropic-wire.ts";

/** Writes text blocks in order, each with its citations. */
function createTextWriter(citations: readonly Citation[] = []) {
  let from = 0;
  return (text: string): object[] => {
    if (text === "") return [];
    const to = from + text.length;
    const own = citations.filter(({ startIndex }) => startIndex >= from && startIndex < to).map(getCitation);
    from = to;
    return [{ type: "text", text, ...(own.length > 0 ? { citations: own } : {}) }];
  };
}

function writeBlock(
  part: ContentPart,
  ownName: (name: string) => string,
  writeText: (text: string) => object[],
): object[] {
  switch (part.type) {
    case "text":
      return writeText(part.text);
    case "reasoning":
      return [{ type: "thinking", thinking: part.text, signature: part.signature ?? "" }];
    case "redacted-reasoning":
      return [{ type: "redacted_thinking", data: part.data }];
    case "tool-call": {
      const data = encodeCallSignature(part);
      const call = {
        type: "tool_use",
        id: part.id,
        name: ownName(part.name),
        input: toolArguments(part.argumentsText),
      };
      return data === undefined ? [call] : [{ type: "redacted_thinking", data }, call];
    }
    default:
      return []; // Models return no other part types.
  }
}

/** Writes a `message` object. */
export function writeAnthropicResponse(response: ChatResponse, context: ResponseContext): unknown {
  const ownName = getToolNames(context);
  const writeText = createTextWriter(response.citations);
  return {
    id: messageId(response.id, context.requestId),
    type: "message",
    role: "assistant",
    model: context.model,
    content: toMarkdownParts(response.parts).flatMap((part) => writeBlock(part, ownName, writeText)),
    stop_reason: ANTHROPIC_STOP[response.finishReason],
    stop_sequence: response.stopSequence ?? null,
    ...stopDetails(getRefusal(response.parts)),
    usage: anthropicUsage(response.usage),
  };
}
