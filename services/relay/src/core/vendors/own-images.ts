import { findCatalogueEntry } from "./catalogue-entry.ts";
import type { ChatMessage, ChatRequest } from "../chat/chat.ts";

const hasImage = ({ role, parts }: ChatMessage): boolean =>
  role === "assistant" && parts.some(({ type }) => type === "image");

/**
 * The request without the images that a model made earlier in the conversation, if according to the shipped catalogue the model of
 * these names reads none: it would refuse each further call. Images of the user stay, since the user's question is about them.
 */
export function withoutOwnImages(request: ChatRequest, names: readonly string[]): ChatRequest {
  if (!request.messages.some(hasImage)) return request;
  const input = findCatalogueEntry(names)?.input;
  if (input === undefined || input.includes("image")) return request;
  const messages = request.messages.map((message) =>
    hasImage(message) ? { ...message, parts: message.parts.filter(({ type }) => type !== "image") } : message,
  );
  return { ...request, messages };
}
