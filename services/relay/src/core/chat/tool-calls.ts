import { randomUUID } from "node:crypto";
import type { ChatMessage, Json } from "./chat.ts";
import { asObject, parseExactJson } from "./json.ts";

/** A new id for a tool call whose upstream gave none. */
export const newToolCallId = (): string => `call_${randomUUID().replaceAll("-", "")}`;

/**
 * Arguments of a tool call as the object that Anthropic and Gemini want. Nothing said is an empty object; text that is not an
 * object (models cut off in mid-call write such) is kept under `_raw`, so that it is not lost without a trace.
 */
export function toolArguments(argumentsText: string): Json {
  if (argumentsText.trim() === "") return {};
  return asObject(parseExactJson(argumentsText)) ?? { _raw: argumentsText };
}

/** Names of the tools that were called, by the id of the call. */
export function toolNamesById(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { parts } of messages) {
    for (const part of parts) if (part.type === "tool-call") names.set(part.id, part.name);
  }
  return names;
}
