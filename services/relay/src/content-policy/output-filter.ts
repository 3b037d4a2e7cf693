import type { PatternRules } from "./pattern-rules.ts";

/** Filtered text that may be sent; `isForbidden` once a match ends the response. */
export type FilteredText = { readonly text: string; readonly isForbidden: boolean };

export type OutputFilter = {
  /**
   * Filters a chunk and returns the text that may be sent; the end of the chunk may be held back until the next one.
   */
  readonly push: (piece: string) => FilteredText;
  /** Text still held back when the response ended. */
  readonly end: () => FilteredText;
};

const MASK = "**###**";
/** How many characters an expression can match back. */
const WINDOW_CHARACTERS = 512;

type Options = { readonly stops: boolean; readonly heldChunks: number };

/**
 * Filters a text that arrives in chunks. Text that may be the beginning of a listed word is held back, so that no part
 * of a word is sent; all other text is sent at once. Expressions are matched against the last characters, and
 * `heldChunks` chunks are held back for them. Matches are masked unless the response is to end at them.
 */
export function createOutputFilter(rules: PatternRules, { stops, heldChunks }: Options): OutputFilter {
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
  /** The text of the chunk without listed words; the last characters stay in `waiting` while they may begin a word. */
  const withoutWords = (piece: string): FilteredText => {
    const lower = piece.toLowerCase();
    // In some scripts the lower-case text is longer; offsets would then not match.
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
      if (heldChunks === 0 || rules.expressions.length === 0) return guarded;
      queue.push(guarded.text);
      return { text: release(heldChunks), isForbidden: false };
    },
    end() {
      const text = release(0) + waiting;
      waiting = "";
      return { text, isForbidden: false };
    },
  };
}
