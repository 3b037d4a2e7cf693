import { mediaAsParts } from "../../chat/answer-media.ts";
import type { ChatResponse, Json } from "../../chat/chat.ts";
import { textOf } from "../../chat/messages.ts";
import type { AnswerContext } from "../dialect.ts";
import { customNames } from "./custom-tools.ts";
import { callItem, customItem, endedResponse, messageItem, REASONING_ID, reasoningItem } from "./responses-wire.ts";

function writeOutput({ parts, citations }: ChatResponse, { requestId, asked }: AnswerContext): Json[] {
  const customs = customNames(asked);
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const text = textOf(mediaAsParts(parts));
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  return [
    ...(reasoning === "" ? [] : [reasoningItem(`${REASONING_ID}${requestId}`, reasoning)]),
    ...(text === "" && calls.length > 0 ? [] : [messageItem(`msg_${requestId}`, text, citations)]),
    ...calls.map((call, index) =>
      customs.has(call.name)
        ? customItem(`ctc_${requestId}_${index}`, call)
        : callItem(`fc_${requestId}_${index}`, { ...call, argumentsText: call.argumentsText || "{}" }),
    ),
  ];
}

/** A `response` object. */
export const writeResponsesAnswer = (response: ChatResponse, context: AnswerContext): unknown =>
  endedResponse(context, {
    output: writeOutput(response, context),
    reason: response.finishReason,
    usage: response.usage,
  });
