import { toMarkdownParts } from "../shared/response-media.ts";
import type { ChatResponse, ContentPart } from "../../core/chat/chat.ts";
import { getRefusal, withoutRefusal } from "../../core/chat/refusals.ts";
import { getText } from "../../core/chat/messages.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { writeReasoningField } from "./openai-reasoning.ts";
import { readInput } from "../../core/vendors/custom-input.ts";
import { getCustomNames } from "./openai-tools.ts";
import { annotationsField } from "./openai-web-search.ts";
import { callsFunctions, finishWord, openAiUsage, signatureField } from "./openai-wire.ts";

type ToolCall = Extract<ContentPart, { type: "tool-call" }>;

const getFunction = ({ name, argumentsText }: ToolCall) => ({
  name,
  arguments: argumentsText === "" ? "{}" : argumentsText,
});

/** The calls of a response; the legacy format has one call only. */
function writeToolCalls(parts: readonly ContentPart[], context: ResponseContext) {
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  if (!calls[0]) return {};
  if (callsFunctions(context)) return { function_call: getFunction(calls[0]) };
  const custom = getCustomNames(context.requested);
  return {
    tool_calls: calls.map((call) => ({
      id: call.id,
      ...(custom.has(call.name)
        ? { type: "custom", custom: { name: call.name, input: readInput(call.argumentsText) } }
        : { type: "function", function: getFunction(call) }),
      ...signatureField(call.signature),
    })),
  };
}

function writeMessage({ parts, citations }: ChatResponse, context: ResponseContext) {
  const reasoning = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
  const text = getText(toMarkdownParts(withoutRefusal(parts)));
  const refusal = getRefusal(parts);
  const calls = writeToolCalls(parts, context);
  const isBare = text === "" && (refusal !== "" || Object.keys(calls).length > 0);
  return {
    role: "assistant",
    content: isBare ? null : text,
    refusal: refusal === "" ? null : refusal,
    ...annotationsField(citations),
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...writeReasoningField(parts),
    ...calls,
  };
}

/** Writes a `chat.completion` object. */
export function writeOpenAiResponse(response: ChatResponse, context: ResponseContext): unknown {
  return {
    id: response.id || `chatcmpl-${context.requestId}`,
    object: "chat.completion",
    created: response.createdAtSeconds || context.createdAtSeconds,
    model: context.model,
    choices: [
      {
        index: 0,
        message: writeMessage(response, context),
        logprobs: null,
        finish_reason: finishWord(response.finishReason, context),
      },
    ],
    usage: openAiUsage(response.usage),
  };
}
