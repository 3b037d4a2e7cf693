import { isIncomplete } from "../../core/chat/finish-reasons.ts";
import { toMarkdownParts } from "../shared/response-media.ts";
import type { ChatResponse, ContentPart, Json } from "../../core/chat/chat.ts";
import { encodeCallSignature } from "../../core/chat/call-signatures.ts";
import { getRefusal, withoutRefusal } from "../../core/chat/refusals.ts";
import { getText } from "../../core/chat/messages.ts";
import type { ResponseContext } from "../../core/call/dialect.ts";
import { isSignedReasoning, type ReasoningPart } from "../../core/chat/reasoning.ts";
import { createToolCatalog } from "./tool-catalog.ts";
import { callPrefix, writeCallItem } from "./tool-call-items.ts";
import {
  asCut,
  endedResponse,
  messageItem,
  REASONING_ID,
  reasoningItem,
  refusalPart,
  textPart,
} from "./responses-wire.ts";
import { encryptedField, requestsEncryptedReasoning } from "../../core/chat/encrypted-reasoning.ts";

type ToolCall = Extract<ContentPart, { type: "tool-call" }>;

const getReadable = (reasoning: ReasoningPart): string => (reasoning.type === "reasoning" ? reasoning.text : "");

/** The reasoning as one item, or one item per signed part with its encrypted content if the caller stores it. */
function writeReasoning(parts: readonly ContentPart[], requestId: string, keepsSeals: boolean): Json[] {
  const reasoning = parts.filter(
    (part): part is ReasoningPart => part.type === "reasoning" || part.type === "redacted-reasoning",
  );
  if (keepsSeals && reasoning.some(isSignedReasoning)) {
    return reasoning.map((reasoning, index) =>
      reasoningItem(`${REASONING_ID}${requestId}_${index}`, getReadable(reasoning), encryptedField(reasoning)),
    );
  }
  const text = reasoning.map(getReadable).join("");
  return text === "" ? [] : [reasoningItem(`${REASONING_ID}${requestId}`, text)];
}

/** The provider's signature of a call, as the reasoning item before it. */
function writeSignature(call: ToolCall, id: string): Json[] {
  const sealed = encodeCallSignature(call);
  return sealed === undefined ? [] : [reasoningItem(id, "", { encrypted_content: sealed })];
}

function writeOutput({ parts, citations }: ChatResponse, { requestId, requested }: ResponseContext): Json[] {
  const catalog = createToolCatalog(requested);
  const text = getText(toMarkdownParts(withoutRefusal(parts)));
  const refusal = getRefusal(parts);
  const content = [
    ...(text === "" && refusal !== "" ? [] : [textPart(text, citations)]),
    ...(refusal === "" ? [] : [refusalPart(refusal)]),
  ];
  const calls = parts.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  return [
    ...writeReasoning(parts, requestId, requestsEncryptedReasoning(requested)),
    ...(text === "" && refusal === "" && calls.length > 0 ? [] : [messageItem(`msg_${requestId}`, content)]),
    ...calls.flatMap((call, index) => {
      const tool = catalog.find(call.name);
      const argumentsText = call.argumentsText || "{}";
      return [
        ...writeSignature(call, `${REASONING_ID}${requestId}_${parts.length + index}`),
        writeCallItem(`${callPrefix(tool)}_${requestId}_${index}`, tool, { ...call, argumentsText }),
      ];
    }),
  ];
}

/** Writes a `response` object. */
export function writeResponsesResponse(response: ChatResponse, context: ResponseContext): unknown {
  const { finishReason: reason, usage } = response;
  const items = writeOutput(response, context);
  const output = items.map((item, index) => (isIncomplete(reason) && index === items.length - 1 ? asCut(item) : item));
  return endedResponse(context, { output, reason, usage });
}
