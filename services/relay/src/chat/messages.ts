import { RelayError } from "../errors/relay-error.ts";
import type { ChatMessage, ChatRequest, ContentPart } from "./chat.ts";

const isEmpty = (part: ContentPart): boolean => part.type === "text" && part.text === "";

/** Tool results in front: Anthropic and Gemini want them first in the turn that answers a call. */
const resultsFirst = (parts: readonly ContentPart[]): readonly ContentPart[] => [
  ...parts.filter((part) => part.type === "tool-result"),
  ...parts.filter((part) => part.type !== "tool-result"),
];

/** Messages with something in them, neighbours of one role as one. In one pass: callers may send a million of them. */
export function joinNeighbours(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: { readonly role: ChatMessage["role"]; readonly parts: ContentPart[] }[] = [];
  for (const { role, parts } of messages) {
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) for (const part of parts) last.parts.push(part);
    else turns.push({ role, parts: [...parts] });
  }
  return turns;
}

/**
 * The messages as turns of alternating roles: empty texts and messages left out, neighbours of one role joined, tool results first
 * in their turn. For providers that refuse empty texts or two turns of one role.
 */
export function toTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns = joinNeighbours(
    messages.map(({ role, parts }) => ({ role, parts: parts.filter((part) => !isEmpty(part)) })),
  );
  return turns.map(({ role, parts }) => ({ role, parts: role === "user" ? resultsFirst(parts) : parts }));
}

const MEDIA: ReadonlySet<ContentPart["type"]> = new Set(["image", "audio", "file"]);
const isMedia = ({ type }: ContentPart): boolean => MEDIA.has(type);

/**
 * Pictures and files that the assistant made, as parts of what the user says next: OpenAI's format has no other place for them. What the
 * assistant said last keeps them; nobody speaks of them any more.
 */
export function mediaToUsers(turns: readonly ChatMessage[]): ChatMessage[] {
  const moved = turns.flatMap(({ role, parts }, index): ChatMessage[] => {
    if (role === "user") {
      const shown = turns[index - 1]?.parts.filter(isMedia) ?? [];
      const firstWord = parts.findIndex(({ type }) => type !== "tool-result");
      const at = firstWord < 0 ? parts.length : firstWord;
      return [{ role, parts: shown.length === 0 ? parts : [...parts.slice(0, at), ...shown, ...parts.slice(at)] }];
    }
    return parts.every(isMedia) ? [] : [{ role, parts }];
  });
  return toTurns(moved);
}

/** All text among the parts. */
export function textOf(parts: readonly ContentPart[], separator = ""): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(separator);
}

/** Refuses what only the caller's own format can carry: several answers to one call. Throws RelayError invalid_request. */
export function refuseManyCandidates({ candidateCount = 1 }: Pick<ChatRequest, "candidateCount">): void {
  if (candidateCount <= 1) return;
  throw new RelayError(
    "invalid_request",
    "n above 1 is supported only where the provider has the very API of the call",
    { param: "n" },
  );
}

/** Refuses a content part that the provider has no form for. */
export function unsupportedPart(what: string): RelayError {
  return new RelayError("invalid_request", `${what} is not supported for this model`, { param: "messages" });
}
