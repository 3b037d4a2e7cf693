import type { ChatResponse, ContentPart, StreamPart } from "../core/chat/chat.ts";
import { type OutputFilter, createOutputFilter } from "./output-filter.ts";
import type { PatternRules } from "./pattern-rules.ts";

export type FilterOptions = { readonly rules: PatternRules; readonly stops: boolean; readonly heldChunks: number };

/** Filtered text of a response; `isForbidden` if the response ends after it. */
export type FilteredParts = { readonly parts: readonly StreamPart[]; readonly isForbidden: boolean };

export type PartFilter = ReturnType<typeof createPartFilter>;

/** Filters the text and the reasoning of a streaming response independently. */
export function createPartFilter({ rules, stops, heldChunks }: FilterOptions) {
  const newGuard = (): OutputFilter => createOutputFilter(rules, { stops, heldChunks });
  const guards = { "text-delta": newGuard(), "reasoning-delta": newGuard() };
  type Kind = keyof typeof guards;
  let kind: Kind = "text-delta";

  /** Text held back of one kind is sent before another kind begins. */
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
      if (text !== "") passed.push({ ...part, text });
      if (isForbidden) return { parts: passed, isForbidden: true };
    }
    return { parts: passed, isForbidden: false };
  };
}

/**
 * Filters a non-streaming response: returns the same object if no rule matches, else the text masked, or cut off at the
 * first match.
 */
export function filterParts(response: ChatResponse, options: FilterOptions): ChatResponse {
  const parts: ContentPart[] = [];
  let isChanged = false;
  for (const part of response.parts) {
    if (part.type !== "text" && part.type !== "reasoning") {
      parts.push(part);
      continue;
    }
    const guard = createOutputFilter(options.rules, { ...options, heldChunks: 0 });
    const first = guard.push(part.text);
    const text = first.text + (first.isForbidden ? "" : guard.end().text);
    isChanged ||= text !== part.text;
    parts.push(text === part.text ? part : { ...part, text });
    if (first.isForbidden) return { ...response, parts, finishReason: "content-filter" };
  }
  return isChanged ? { ...response, parts } : response;
}
