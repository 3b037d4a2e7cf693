const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const FOLLOWING_AMOUNT = /^(.+?) (\uff04?-?\d+(?:\.\d+)? \u70b9?\u989d\u5ea6)$/;

const escaped = (part: string): string => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A sentence that a service filled in, and its values. */
export type ReadNote<Sentence extends string> = {
  readonly sentence: Sentence;
  readonly values: Readonly<Record<string, string>>;
};

/**
 * Finds the first sentence with `{{placeholders}}` that matches a note of the log or the ledger; undefined when none
 * matches.
 */
export function createNoteReader<Sentence extends string>(sentences: readonly Sentence[]) {
  const patterns = sentences.map((sentence) => ({
    sentence,
    names: [...sentence.matchAll(PLACEHOLDER)].map(([, name = ""]) => name),
    pattern: new RegExp(
      `^${sentence
        .split(/\{\{\w+\}\}/)
        .map(escaped)
        .join("(.+?)")}$`,
    ),
  }));
  return function readNote(note: string): ReadNote<Sentence> | undefined {
    for (const { sentence, names, pattern } of patterns) {
      const match = pattern.exec(note);
      if (match)
        return { sentence, values: Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ""])) };
    }
    return undefined;
  };
}

/** The sentence and the amount of a note that ends with an amount; undefined for others. */
export function splitAmount(note: string): { readonly start: string; readonly amount: string } | undefined {
  const [, start, amount] = FOLLOWING_AMOUNT.exec(note) ?? [];
  return start === undefined || amount === undefined ? undefined : { start, amount };
}
