import type { ChatMessage, ContentPart } from "../../core/chat/chat.ts";
import { getText, toTurns, unsupportedPart } from "../../core/chat/messages.ts";

export type PlainTurn = { readonly role: ChatMessage["role"]; readonly text: string };

function writePart(part: ContentPart): string[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "tool-call":
      return [`[called ${part.name} with ${part.argumentsText || "{}"}]`];
    case "tool-result":
      return [`[${part.name ?? "the tool"} answered: ${getText(part.parts, "\n")}]`];
    case "image":
      throw unsupportedPart("an image");
    case "audio":
      throw unsupportedPart("audio");
    case "file":
    case "file-url":
      throw unsupportedPart("a file");
    default:
      return [];
  }
}

/** The parts as one text, with tool calls and results written out. Throws RelayError invalid_request for media. */
export const plainText = (parts: readonly ContentPart[]): string => parts.flatMap(writePart).join("\n");

/**
 * The conversation as texts of alternating roles, for models that accept only text. Throws RelayError invalid_request
 * for media.
 */
export const plainTurns = (messages: readonly ChatMessage[]): PlainTurn[] =>
  toTurns(messages)
    .map(({ role, parts }) => ({ role, text: plainText(parts) }))
    .filter(({ text }) => text !== "");

const FILLER = "...";

/** The conversation as texts that start and end with the user, for models that refuse anything else. */
export function userFirstAndLast(turns: readonly PlainTurn[]): PlainTurn[] {
  const filler: PlainTurn = { role: "user", text: FILLER };
  const begun = turns[0]?.role === "user" ? turns : [filler, ...turns];
  return begun.at(-1)?.role === "user" ? [...begun] : [...begun, filler];
}
