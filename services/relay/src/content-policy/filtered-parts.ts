import type { ChatResponse, ContentPart, StreamPart } from "../core/chat/chat.ts";
import { type OutputFilter, createOutputFilter } from "./output-filter.ts";
import type { PatternRules } from "./pattern-rules.ts";

export type FilterOptions = { readonly rules: PatternRules; readonly stops: boolean; readonly heldPieces: number };

/** What may go on of a stretch of an answer; `isForbidden` where the answer ends after it. */
export type FilteredParts = { readonly parts: readonly StreamPart[]; readonly isForbidden: boolean };

export type PartFilter = ReturnType<typeof createPartFilter>;

/** Watches the text and the thoughts of a streamed answer, each for itself. */
export function createPartFilter({ rules, stops, heldPieces }: FilterOptions) {
  const newGuard = (): OutputFilter => createOutputFilter(rules, { stops, heldPieces });
  const guards = { "text-delta": newGuard(), "reasoning-delta": newGuard() };
  type Kind = keyof typeof guards;
  let kind: Kind = "text-delta";

  /** What still waits of one kind leaves before another kind begins. */
  const rest = (): StreamPart[] => {
    const { text } = guards[kind].end();
    return text === "" ? [] : [{ type: kind, text }];
  };
  return (parts: readonly StreamPart[]): FilteredParts => {
    const passed: StreamPart[] = [];
    for (const part of parts) {
      if (part.type !== "text-delta" && part.type !== "reasoning-delta") {
        passed.push(...rest(), part);
        continue;
      }
      if (part.type !== kind) passed.push(...rest());
      kind = part.type;
      const { text, isForbidden } = guards[kind].push(part.text);
      if (text !== "") passed.push({ type: kind, text });
      if (isForbidden) return { parts: passed, isForbidden: true };
    }
    return { parts: passed, isForbidden: false };
  };
}

/** A whole answer as it may go out: the very same where it breaks no rule, else masked, or cut off at the first word. */
export function filterParts(response: ChatResponse, options: FilterOptions): ChatResponse {
  const parts: ContentPart[] = [];
  let isChanged = false;
  for (const part of response.parts) {
    if (part.type !== "text" && part.type !== "reasoning") {
      parts.push(part);
      continue;
    }
    const guard = createOutputFilter(options.rules, { ...options, heldPieces: 0 });
    const first = guard.push(part.text);
    const text = first.text + (first.isForbidden ? "" : guard.end().text);
    isChanged ||= text !== part.text;
    parts.push(text === part.text ? part : { ...part, text });
    if (first.isForbidden) return { ...response, parts, finishReason: "content-filter" };
  }
  return isChanged ? { ...response, parts } : response;
}
