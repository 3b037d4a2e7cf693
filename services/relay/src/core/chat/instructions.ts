import type { ChatMessage, ChatRequest, ContentPart } from "./chat.ts";

/** Whether a part is a system message within the conversation. */
const isInstruction = (part: ContentPart): boolean => part.type === "text" && part.isInstruction === true;

/**
 * A text as providers get it that have no system messages within the conversation and cache prompts by their beginning:
 * there these are marked texts of the user's turn.
 */
export const getMarkedText = ({ text, isInstruction: isMarked }: Extract<ContentPart, { type: "text" }>): string =>
  isMarked ? `<system>\n${text}\n</system>` : text;

/**
 * Moves system messages within the conversation to the system prompt, for providers that have no place for them. Returns the
 * same object if there are none.
 */
export function hoistInstructions(request: ChatRequest): ChatRequest {
  const found = request.messages.flatMap(({ parts }) => parts.filter(isInstruction));
  if (found.length === 0) return request;
  const instructions = found.flatMap((part): ContentPart[] => {
    if (part.type !== "text") return [];
    const { isInstruction: _isInstruction, ...text } = part;
    return [text];
  });
  const messages = request.messages.flatMap((message): ChatMessage[] => {
    const parts = message.parts.filter((part) => !isInstruction(part));
    if (parts.length === message.parts.length) return [message];
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
  return { ...request, system: [...request.system, ...instructions], messages };
}
