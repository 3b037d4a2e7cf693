import type { Json } from "../../chat/chat.ts";
import { asList, asObject } from "../../chat/json.ts";

const isUnsigned = (block: unknown): boolean => {
  const { type, signature } = asObject(block) ?? {};
  return type === "thinking" && !signature;
};

/**
 * A caller's conversation without the thoughts that no Claude model signed, which Anthropic refuses: those of other models, from before
 * the caller changed the model. Turns that held nothing else go with them. The very same object where there are none.
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
  return { ...body, messages: kept };
}
