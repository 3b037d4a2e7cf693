import type { Json } from "../../../core/chat/chat.ts";
import { asList, asObject, asObjects } from "../../../core/chat/json.ts";

const isUnsigned = (block: unknown): boolean => {
  const { type, signature } = asObject(block) ?? {};
  return type === "thinking" && !signature;
};

export const isReasoningItem = ({ type }: Json): boolean => type === "thinking" || type === "redacted_thinking";

const blocksOf = (message: unknown): Json[] => asObjects(asObject(message)?.["content"]);

/**
 * Whether a conversation continues from results of calls whose turn does not begin with its reasoning. Reasoning with a
 * budget requires it.
 */
export function continuesUnsignedCall(messages: readonly unknown[]): boolean {
  const callAt = messages.findLastIndex((message) => asObject(message)?.["role"] === "assistant");
  const isAnswered = blocksOf(messages[callAt + 1]).some(({ type }) => type === "tool_result");
  const [first] = blocksOf(messages[callAt]);
  return isAnswered && first !== undefined && !isReasoningItem(first);
}

function withoutBudget(body: Json): Json {
  const { thinking, ...rest } = body;
  return asObject(thinking)?.["type"] === "enabled" ? rest : body;
}

/**
 * Removes reasoning that no Claude model signed from a caller's conversation: it comes from other models used earlier,
 * and Anthropic refuses it. Turns without other content are removed too, as is a budget that would require the
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
