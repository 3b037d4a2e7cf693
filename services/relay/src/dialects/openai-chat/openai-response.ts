import { mediaAsParts } from "../../chat/answer-media.ts";
import type { ChatResponse, ContentPart } from "../../chat/chat.ts";
import { textOf } from "../../chat/messages.ts";
import type { AnswerContext } from "../dialect.ts";
import { annotationsField } from "./openai-web-search.ts";
import { OPENAI_FINISH, openAiUsage, signatureField } from "./openai-wire.ts";

function writeToolCalls(parts: readonly ContentPart[]) {
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, name, argumentsText, signature }) => ({
      id,
      type: "function",
      function: { name, arguments: argumentsText === "" ? "{}" : argumentsText },
      ...signatureField(signature),
    })),
  };
}

function writeMessage({ parts, citations }: ChatResponse) {
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const text = textOf(mediaAsParts(parts));
  const calls = writeToolCalls(parts);
  return {
    role: "assistant",
    content: text === "" && "tool_calls" in calls ? null : text,
    refusal: null,
    ...annotationsField(citations),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...calls,
  };
}

/** A `chat.completion` object. */
export function writeOpenAiResponse(response: ChatResponse, context: AnswerContext): unknown {
  return {
    id: response.id || `chatcmpl-${context.requestId}`,
    object: "chat.completion",
    created: response.createdAtSeconds || context.createdAtSeconds,
    model: context.model,
    choices: [
      {
        index: 0,
        message: writeMessage(response),
        logprobs: null,
        finish_reason: OPENAI_FINISH[response.finishReason],
      },
    ],
    usage: openAiUsage(response.usage),
  };
}
