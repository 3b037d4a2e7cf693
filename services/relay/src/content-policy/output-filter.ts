import type { PatternRules } from "./pattern-rules.ts";

/** What may go on of an answer's text; `isForbidden` once something was found that ends it. */
export type FilteredText = { readonly text: string; readonly isForbidden: boolean };

export type OutputFilter = {
  /** Takes a piece and gives what may go on; the end of it may wait for the next one. */
  readonly push: (piece: string) => FilteredText;
  /** What still waited when the text ended. */
  readonly end: () => FilteredText;
};

const MASK = "**###**";
/** How far back an expression looks. */
const WINDOW_CHARACTERS = 512;

type Options = { readonly stops: boolean; readonly heldPieces: number };

/**
 * Watches a text that comes in pieces for what it must not say. What may be the beginning of a word waits, so that no part of a word
 * leaves; everything else goes on at once. Expressions are looked for in the last characters, pieces waiting for as many others as
 * `heldPieces` says. Words are masked where the answer is not to end at them.
 */
export function createOutputFilter(rules: PatternRules, { stops, heldPieces }: Options): OutputFilter {
  const scan = rules.search.scan();
  /** Not sent yet, since a word may begin in it. */
  let waiting = "";
  let recent = "";
  const queue: string[] = [];

  const breaksExpression = (piece: string): boolean => {
    if (rules.expressions.length === 0) return false;
    recent = (recent + piece.toLowerCase()).slice(-WINDOW_CHARACTERS - piece.length);
    const found = rules.expressions.some((expression) => expression.test(recent));
    if (found) recent = "";
    return found;
  };
  /** What of the piece is free of words; the last characters stay in `waiting` while they may begin one. */
  const withoutWords = (piece: string): FilteredText => {
    const lower = piece.toLowerCase();
    // Lower case may be longer in some scripts; then indexes would not fit.
    const text = lower.length === piece.length ? piece : lower;
    let clean = "";
    let sent = 0;
    for (let place = scan.next(lower); place; place = scan.next(lower, place.to)) {
      const known = waiting + text.slice(sent, place.to);
      clean += known.slice(0, known.length - (place.to - place.from));
      waiting = "";
      sent = place.to;
      if (stops) return { text: clean, isForbidden: true };
      clean += MASK;
    }
    const rest = waiting + text.slice(sent);
    const cut = rest.length - scan.pending();
    waiting = rest.slice(cut);
    return { text: clean + rest.slice(0, cut), isForbidden: false };
  };
  const release = (count: number): string => queue.splice(0, Math.max(0, queue.length - count)).join("");

  return {
    push(piece) {
      const guarded = withoutWords(piece);
      if (guarded.isForbidden) return { text: release(0) + guarded.text, isForbidden: true };
      const isBroken = breaksExpression(piece);
      if (isBroken && stops) return { text: "", isForbidden: true };
      if (isBroken) {
        queue.length = 0;
        waiting = "";
        return { text: MASK, isForbidden: false };
      }
      if (heldPieces === 0 || rules.expressions.length === 0) return guarded;
      queue.push(guarded.text);
      return { text: release(heldPieces), isForbidden: false };
    },
    end() {
      const text = release(0) + waiting;
      waiting = "";
      return { text, isForbidden: false };
    },
  };
}
