import { RelayError } from "../errors/relay-error.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "./chat.ts";

const isEmpty = (part: ContentPart): boolean => part.type === "text" && part.text === "";

/** Tool results first: Anthropic and Gemini require them at the start of the turn that follows a call. */
const resultsFirst = (parts: readonly ContentPart[]): readonly ContentPart[] => [
  ...parts.filter((part) => part.type === "tool-result"),
  ...parts.filter((part) => part.type !== "tool-result"),
];

type Turn<Part> = { readonly role: ChatMessage["role"]; readonly parts: readonly Part[] };

/** Non-empty messages, with neighbours of one role merged. In one pass, since callers may send a million messages. */
export function joinNeighbours<Part>(messages: readonly Turn<Part>[]): Turn<Part>[] {
  const turns: { readonly role: ChatMessage["role"]; readonly parts: Part[] }[] = [];
  for (const { role, parts } of messages) {
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) for (const part of parts) last.parts.push(part);
    else turns.push({ role, parts: [...parts] });
  }
  return turns;
}

/**
 * The messages as turns of alternating roles: empty texts and messages are dropped, neighbours of one role merged, tool
 * results first in their turn. For providers that refuse empty texts or two turns of one role.
 */
export function toTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns = joinNeighbours(
    messages.map(({ role, parts }) => ({ role, parts: parts.filter((part) => !isEmpty(part)) })),
  );
  return turns.map(({ role, parts }) => ({ role, parts: role === "user" ? resultsFirst(parts) : parts }));
}

const MEDIA: ReadonlySet<ContentPart["type"]> = new Set(["image", "audio", "file", "file-url"]);
const isMedia = ({ type }: ContentPart): boolean => MEDIA.has(type);

/**
 * Moves images and files of assistant turns to the next user turn: OpenAI's format has no other field for them, and
 * Claude refuses them elsewhere. Those of a last assistant turn are dropped, since no later turn refers to them.
 */
export function toTurnsWithMovedMedia(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns = toTurns(messages);
  if (!turns.some(({ role, parts }) => role === "assistant" && parts.some(isMedia))) return turns;
  const moved = turns.map(({ role, parts }, index): ChatMessage => {
    if (role === "user") return { role, parts: [...(turns[index - 1]?.parts.filter(isMedia) ?? []), ...parts] };
    return { role, parts: parts.filter((part) => !isMedia(part)) };
  });
  return toTurns(moved);
}

/** The concatenated text of the parts. */
export function getText(parts: readonly ContentPart[], separator = ""): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(separator);
}

/**
 * Refuses what only the caller's own format can carry: several candidates per call. Throws RelayError invalid_request.
 */
export function refuseManyCandidates({ candidateCount = 1 }: Pick<ChatRequest, "candidateCount">): void {
  if (candidateCount <= 1) return;
  throw new RelayError(
    "invalid_request",
    "n above 1 is supported only on channels that have the exact API of the call",
    { param: "n" },
  );
}

/** Refuses a content part that the provider does not support. */
export function unsupportedPart(what: string): RelayError {
  return new RelayError("invalid_request", `${what} is not supported for this model`, { param: "messages" });
}
