import { mediaAsParts } from "../../chat/answer-media.ts";
import type { ChatResponse, ContentPart, Json } from "../../chat/chat.ts";
import { textOf } from "../../chat/messages.ts";
import type { AnswerContext } from "../dialect.ts";
import { isSignedThought, type Thought } from "../../chat/reasoning.ts";
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
import { encryptedField, wantsSealed } from "../../chat/sealed-thoughts.ts";

const readableOf = (thought: Thought): string => (thought.type === "reasoning" ? thought.text : "");

/** The thoughts as one item, or each that is signed as its own with its seal, where the caller keeps those. */
function writeThoughts(parts: readonly ContentPart[], requestId: string, keepsSeals: boolean): Json[] {
  const thoughts = parts.filter(
    (part): part is Thought => part.type === "reasoning" || part.type === "redacted-reasoning",
  );
  if (keepsSeals && thoughts.some(isSignedThought)) {
    return thoughts.map((thought, index) =>
      reasoningItem(`${REASONING_ID}${requestId}_${index}`, readableOf(thought), encryptedField(thought)),
    );
  }
  const text = thoughts.map(readableOf).join("");
  return text === "" ? [] : [reasoningItem(`${REASONING_ID}${requestId}`, text)];
}

function writeOutput({ parts, citations }: ChatResponse, { requestId, asked }: AnswerContext): Json[] {
  const customs = customNames(asked);
  const text = textOf(mediaAsParts(parts));
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  return [
    ...writeThoughts(parts, requestId, wantsSealed(asked)),
    ...(text === "" && calls.length > 0 ? [] : [messageItem(`msg_${requestId}`, text, citations)]),
    ...calls.map((call, index) =>
      customs.has(call.name)
        ? customItem(`ctc_${requestId}_${index}`, call)
        : callItem(`fc_${requestId}_${index}`, { ...call, argumentsText: call.argumentsText || "{}" }),
    ),
  ];
}

/** A `response` object. */
export function writeResponsesAnswer(response: ChatResponse, context: AnswerContext): unknown {
  const { finishReason: reason, usage } = response;
  const items = writeOutput(response, context);
  const output = items.map((item, index) => (isIncomplete(reason) && index === items.length - 1 ? asCut(item) : item));
  return endedResponse(context, { output, reason, usage });
}
