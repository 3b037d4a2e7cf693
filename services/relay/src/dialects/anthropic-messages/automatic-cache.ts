import type { ChatMessage, ContentPart, Json } from "../../core/chat/chat.ts";

const MARKABLE: ReadonlySet<ContentPart["type"]> = new Set(["text", "image", "file", "file-url", "tool-result"]);
const canMark = ({ type }: ContentPart): boolean => MARKABLE.has(type);

/**
 * Places the cache breakpoint that a call requests as a whole: after the last part that can have one, unless it has its
 * own. Source: Anthropic API reference, "Messages", `cache_control`.
 */
export function markLastPart(messages: readonly ChatMessage[], cacheControl: Json | undefined): ChatMessage[] {
  const at = cacheControl ? messages.findLastIndex(({ parts }) => parts.some(canMark)) : -1;
  return messages.map((message, index) => {
    if (index !== at) return message;
    const last = message.parts.findLastIndex(canMark);
    return {
      ...message,
      parts: message.parts.map((part, place): ContentPart =>
        place === last ? ({ cacheControl, ...part } as ContentPart) : part,
      ),
    };
  });
}
