import { randomUUID } from "node:crypto";
import type { ChatMessage, Json } from "./chat.ts";
import { asObject } from "./json.ts";
import { parseExactJson } from "./exact-json.ts";

/** A new id for a tool call to which upstream gave none. */
export const newToolCallId = (): string => `call_${randomUUID().replaceAll("-", "")}`;

/**
 * The arguments of a tool call as an object, as Anthropic and Gemini require. Empty text is an empty object; text that
 * is not an object (for example of a call that was cut off) is put under `_raw`, so that it is not lost.
 */
export function toolArguments(argumentsText: string): Json {
  if (argumentsText.trim() === "") return {};
  return asObject(parseExactJson(argumentsText)) ?? { _raw: argumentsText };
}

/** Names of the called tools by the id of the call. */
export function toolNamesById(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === "tool-call") names.set(part.id, part.name);
  }
  return names;
}
