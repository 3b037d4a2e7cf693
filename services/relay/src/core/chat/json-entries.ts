/** A top-level entry of a JSON object's text: its key, and its value from `start` up to `end`. */
export type JsonEntry = { readonly key: string; readonly start: number; readonly end: number };

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPENING_BRACKET = 91;
const BACKSLASH = 92;
const CLOSING_BRACKET = 93;
const OPENING_BRACE = 123;
const CLOSING_BRACE = 125;

/** Index after the string that starts at `from`. */
export function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** The key in quotes from `start` up to `end`: few keys have escapes, and a slice costs less than parsing. */
function readKey(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end - 1);
  return key.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : key;
}

/**
 * The top-level entries of a JSON object in the order of its text, repeated keys included. The text must be valid JSON
 * (it was parsed before). Strings are skipped with indexOf, so the cost hardly depends on the prompt's length.
 */
export function readJsonEntries(text: string): JsonEntry[] {
  const entries: JsonEntry[] = [];
  let depth = 0;
  let key: string | undefined;
  let start = -1;
  const close = (end: number): void => {
    if (key !== undefined && start >= 0) entries.push({ key, start, end });
    key = undefined;
    start = -1;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (depth === 1 && key === undefined) key = readKey(text, at, end);
      at = end - 1;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) depth++;
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth--;
      if (depth === 0) close(at);
    } else if (depth === 1 && code === COLON) start = at + 1;
    else if (depth === 1 && code === COMMA) close(at);
  }
  return entries;
}

/** The top-level keys in the order of the text, repeated ones included. */
export const readJsonKeys = (text: string): string[] => readJsonEntries(text).map(({ key }) => key);
