import type { Json } from "../../../core/chat/chat.ts";
import { isEncoded } from "../../../core/chat/encoded-text.ts";
import { asList, asObject, asObjects } from "../../../core/chat/json.ts";

const isUnsigned = (block: unknown): boolean => {
  const { type, signature, data } = asObject(block) ?? {};
  return (type === "thinking" && !signature) || (type === "redacted_thinking" && isEncoded(data));
};

export const isReasoningItem = ({ type }: Json): boolean => type === "thinking" || type === "redacted_thinking";

const getBlocks = (message: unknown): Json[] => asObjects(asObject(message)?.["content"]);

/**
 * Whether a conversation continues from results of calls whose turn does not begin with its reasoning. Reasoning with a
 * budget requires it.
 */
export function continuesUnsignedCall(messages: readonly unknown[]): boolean {
  const callAt = messages.findLastIndex((message) => asObject(message)?.["role"] === "assistant");
  const isServed = getBlocks(messages[callAt + 1]).some(({ type }) => type === "tool_result");
  const [first] = getBlocks(messages[callAt]);
  return isServed && first !== undefined && !isReasoningItem(first);
}

function withoutBudget(body: Json): Json {
  const { thinking, ...rest } = body;
  return asObject(thinking)?.["type"] === "enabled" ? rest : body;
}

/**
 * Removes reasoning that no Claude model signed, and other models' call signatures, from a caller's conversation: they come
 * from models used earlier, and Anthropic refuses them. Turns without other content are removed too, as is a budget that would require the
 * reasoning. Returns the same object if there is none.
 */
export function removeUnsignedReasoning(body: Json): Json {
  const messages = asList(body["messages"]);
  if (!messages.some((message) => asList(asObject(message)?.["content"]).some(isUnsigned))) return body;
  const kept = messages.flatMap((value) => {
    const message = asObject(value);
    const content = message?.["content"];
    if (!Array.isArray(content)) return [value];
    const signed = (content as unknown[]).filter((block) => !isUnsigned(block));
    return signed.length === 0 && content.length > 0 ? [] : [{ ...message, content: signed }];
  });
  return continuesUnsignedCall(kept) ? withoutBudget({ ...body, messages: kept }) : { ...body, messages: kept };
}
