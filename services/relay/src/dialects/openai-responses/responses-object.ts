import { toMarkdownParts } from "../../core/chat/response-media.ts";
import type { ChatResponse, ContentPart, Json } from "../../core/chat/chat.ts";
import { textOf } from "../../core/chat/messages.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { isSignedReasoning, type ReasoningPart } from "../../core/chat/reasoning.ts";
import { customNames } from "./custom-tools.ts";
import {
  asCut,
  callItem,
  customItem,
  endedResponse,
  isIncomplete,
  messageItem,
  REASONING_ID,
  reasoningItem,
} from "./responses-wire.ts";
import { encryptedField, wantsEncryptedReasoning } from "../../core/chat/encrypted-reasoning.ts";

const readableOf = (thought: ReasoningPart): string => (thought.type === "reasoning" ? thought.text : "");

/** The reasoning as one item, or one item per signed part with its encrypted content if the caller stores it. */
function writeThoughts(parts: readonly ContentPart[], requestId: string, keepsSeals: boolean): Json[] {
  const thoughts = parts.filter(
    (part): part is ReasoningPart => part.type === "reasoning" || part.type === "redacted-reasoning",
  );
  if (keepsSeals && thoughts.some(isSignedReasoning)) {
    return thoughts.map((thought, index) =>
      reasoningItem(`${REASONING_ID}${requestId}_${index}`, readableOf(thought), encryptedField(thought)),
    );
  }
  const text = thoughts.map(readableOf).join("");
  return text === "" ? [] : [reasoningItem(`${REASONING_ID}${requestId}`, text)];
}

function writeOutput({ parts, citations }: ChatResponse, { requestId, asked }: ResponseContext): Json[] {
  const customs = customNames(asked);
  const text = textOf(toMarkdownParts(parts));
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  return [
    ...writeThoughts(parts, requestId, wantsEncryptedReasoning(asked)),
    ...(text === "" && calls.length > 0 ? [] : [messageItem(`msg_${requestId}`, text, citations)]),
    ...calls.map((call, index) =>
      customs.has(call.name)
        ? customItem(`ctc_${requestId}_${index}`, call)
        : callItem(`fc_${requestId}_${index}`, { ...call, argumentsText: call.argumentsText || "{}" }),
    ),
  ];
}

/** Writes a `response` object. */
export function writeResponsesAnswer(response: ChatResponse, context: ResponseContext): unknown {
  const { finishReason: reason, usage } = response;
  const items = writeOutput(response, context);
  const output = items.map((item, index) => (isIncomplete(reason) && index === items.length - 1 ? asCut(item) : item));
  return endedResponse(context, { output, reason, usage });
}
