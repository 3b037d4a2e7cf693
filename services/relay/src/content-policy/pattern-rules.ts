import { RE2JS } from "re2js";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { createPatternMatcher, type PatternMatcher } from "./pattern-matcher.ts";

export type PatternRules = {
  /** Whether a text contains forbidden words; a promise for long texts, which are checked in chunks. */
  readonly forbids: (text: string) => boolean | Promise<boolean>;
  /** False if no text within this JSON can be forbidden: it need not be parsed and joined to be checked. */
  readonly mayForbidWithin: (json: string) => boolean;
  /** The synchronous check, for callers that cannot wait; it blocks the event loop. */
  readonly forbidsNow: (text: string) => boolean;
  readonly search: PatternMatcher;
  readonly expressions: readonly RE2JS[];
};

/** Up to this many words are searched one after the other: the engine's own search is faster than an automaton. */
const FEW_WORDS = 12;
/** Texts up to this length are searched at once; longer ones one chunk per event-loop tick. */
const PIECE_CHARACTERS = 32 * 1024;
/** Overlap between chunks: how far a word or expression may span a border. */
const OVERLAP_CHARACTERS = 512;
/** Characters that JSON writes, or may write, with a backslash. */
const ESCAPED = /["\\/\p{Cc}]/u;
/** Any other character may be written by its code, which begins like this. */
const CODE_ESCAPE = "\\u";
const EXPRESSION = /^regex:(.*)$/i;

function compile(source: string): RE2JS[] {
  if (source === "") return [];
  try {
    return [RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)];
  } catch {
    // Expressions are validated when saved; one that this engine does not support must not disable the others.
    return [];
  }
}

/**
 * The rules of a list: one word per line, case-insensitive; lines that start with `regex:` are linear-time expressions.
 */
export function createPatternRules(list: string): PatternRules {
  const lines = list.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const expressions = lines.flatMap((line) => compile(EXPRESSION.exec(line)?.[1]?.trim() ?? ""));
  const words = lines.filter((line) => !EXPRESSION.test(line)).map((line) => line.toLowerCase());
  const search = createPatternMatcher(words);
  const holdsWord =
    words.length <= FEW_WORDS
      ? (text: string) => words.some((word) => text.includes(word))
      : (text: string) => search.scan().next(text) !== undefined;
  const isFoundInJson = expressions.length === 0 && !words.some((word) => ESCAPED.test(word));
  const forbidsPiece = (text: string): boolean => {
    const lower = text.toLowerCase();
    return holdsWord(lower) || expressions.some((expression) => expression.test(lower));
  };
  const forbidsLong = async (text: string): Promise<boolean> => {
    for (let from = 0; from < text.length; from += PIECE_CHARACTERS) {
      if (forbidsPiece(text.slice(from, from + PIECE_CHARACTERS + OVERLAP_CHARACTERS))) return true;
      await yieldToEventLoop();
    }
    return false;
  };
  return {
    forbids: (text) => (text.length <= PIECE_CHARACTERS ? forbidsPiece(text) : forbidsLong(text)),
    mayForbidWithin: (json) => !isFoundInJson || json.includes(CODE_ESCAPE) || holdsWord(json.toLowerCase()),
    forbidsNow: forbidsPiece,
    search,
    expressions,
  };
}
