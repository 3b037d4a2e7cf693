import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects } from "../../core/chat/json.ts";

const isUnsigned = (block: unknown): boolean => {
  const { type, signature } = asObject(block) ?? {};
  return type === "thinking" && !signature;
};

export const isReasoningItem = ({ type }: Json): boolean => type === "thinking" || type === "redacted_thinking";

const blocksOf = (message: unknown): Json[] => asObjects(asObject(message)?.["content"]);

/** Goes a conversation on from results of calls whose turn does not begin with its thought? Thinking with a budget wants it back. */
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
 * A caller's conversation without the thoughts that no Claude model signed, which Anthropic refuses: those of other models, from before
 * the caller changed the model. Turns that held nothing else go with them, and so does a budget that wants them back. The very same
 * object where there are none.
 */
export function withoutUnsignedThoughts(body: Json): Json {
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
