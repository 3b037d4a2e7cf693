import { RE2JS } from "re2js";
import { yieldToEventLoop } from "../core/call/event-loop.ts";
import { createPatternMatcher, type PatternMatcher } from "./pattern-matcher.ts";

export type PatternRules = {
  /** Whether a text holds what it must not; a promise for long texts, which are read piece by piece. */
  readonly forbids: (text: string) => boolean | Promise<boolean>;
  /** The same at once, for whoever cannot wait; the event loop stands still meanwhile. */
  readonly forbidsNow: (text: string) => boolean;
  readonly search: PatternMatcher;
  readonly expressions: readonly RE2JS[];
};

/** So many words are searched one after the other: the engine's own search beats any automaton. */
const FEW_WORDS = 12;
/** Texts up to this length are searched at once; of longer ones a piece for each turn of the event loop. */
const PIECE_CHARACTERS = 32 * 1024;
/** What a word or expression may span over the border of two pieces. */
const OVERLAP_CHARACTERS = 512;
const EXPRESSION = /^regex:(.*)$/i;

function compile(source: string): RE2JS[] {
  if (source === "") return [];
  try {
    return [RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)];
  } catch {
    // Checked when it was stored; one that this engine does not know must not switch off the others.
    return [];
  }
}

/** The rules of a list: a word a line, any case; lines that start with `regex:` are expressions in linear time. */
export function createPatternRules(list: string): PatternRules {
  const lines = list.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const expressions = lines.flatMap((line) => compile(EXPRESSION.exec(line)?.[1]?.trim() ?? ""));
  const words = lines.filter((line) => !EXPRESSION.test(line)).map((line) => line.toLowerCase());
  const search = createPatternMatcher(words);
  const holdsWord =
    words.length <= FEW_WORDS
      ? (text: string) => words.some((word) => text.includes(word))
      : (text: string) => search.scan().next(text) !== undefined;
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
    forbidsNow: forbidsPiece,
    search,
    expressions,
  };
}
