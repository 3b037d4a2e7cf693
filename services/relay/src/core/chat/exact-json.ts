import { randomUUID } from "node:crypto";
import { stringEnd } from "./json-entries.ts";
import { ExactInteger } from "./json.ts";

/** Integers of fewer digits are exact in double precision. */
const DIGITS_MIN = 16;
const ZERO = 48;
const NINE = 57;
const PRECEDES_VALUE = /[\s:[,]/;
const FOLLOWS_VALUE = /\s*(?:[,\]}]|$)/y;

/** Marks the strings that stand for integers while a text is parsed; callers cannot know it. */
const MARK = `${randomUUID()}:`;

type Span = { readonly start: number; readonly end: number };

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** The integer around a run of digits; undefined if the run belongs to anything else or loses nothing as a number. */
function toInteger(text: string, digitsStart: number, end: number): Span | undefined {
  const start = text[digitsStart - 1] === "-" ? digitsStart - 1 : digitsStart;
  if (text.charCodeAt(digitsStart) === ZERO) return undefined;
  if (start > 0 && !PRECEDES_VALUE.test(text.charAt(start - 1))) return undefined;
  FOLLOWS_VALUE.lastIndex = end;
  if (!FOLLOWS_VALUE.test(text)) return undefined;
  const written = text.slice(start, end);
  return String(Number(written)) === written ? undefined : { start, end };
}

/**
 * What looks like an integer that loses digits as a number, within strings too. Every sixteenth character decides
 * whether there is a run of digits, which takes a fifth of a millisecond for a megabyte.
 */
function findLongIntegers(text: string): Span[] {
  const found: Span[] = [];
  for (let at = DIGITS_MIN - 1; at < text.length; at += DIGITS_MIN) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (start > 0 && isDigit(text.charCodeAt(start - 1))) start--;
    while (end < text.length && isDigit(text.charCodeAt(end))) end++;
    const integer = end - start < DIGITS_MIN ? undefined : toInteger(text, start, end);
    if (integer) found.push(integer);
    at = Math.max(at, end - 1);
  }
  return found;
}

/** Those that are not within a string. */
function skipStrings(text: string, spans: readonly Span[]): Span[] {
  let at = text.indexOf('"');
  return spans.filter(({ start }) => {
    while (at >= 0 && at < start) {
      const end = stringEnd(text, at);
      if (end > start) return false;
      at = text.indexOf('"', end);
    }
    return true;
  });
}

function markIntegers(text: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(from, start), `"${MARK}${text.slice(start, end)}"`);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join("");
}

/** Replaces the marked strings within a parsed value. Without recursion, since callers nest as deeply as they like. */
function replaceMarked(parsed: unknown): unknown {
  const open: object[] = [];
  const read = (value: unknown): unknown => {
    if (typeof value === "object" && value !== null) open.push(value);
    return typeof value === "string" && value.startsWith(MARK) ? new ExactInteger(value.slice(MARK.length)) : value;
  };
  const root = read(parsed);
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Array.isArray(holder)) {
      for (let index = 0; index < holder.length; index++) holder[index] = read(holder[index]);
    } else {
      const fields = holder as Record<string, unknown>;
      for (const name of Object.keys(fields)) fields[name] = read(fields[name]);
    }
  }
  return root;
}

/**
 * Parses JSON that will be written again: integers beyond double precision (usually ids) keep all their digits as
 * values that only JSON.stringify and `asNumber` read. Throws SyntaxError. A reviver with access to the source text
 * would do the same, but takes a second for two megabytes of small values, and callers choose what they send.
 */
export function readExactJson(text: string): unknown {
  const found = findLongIntegers(text);
  const integers = found.length === 0 ? found : skipStrings(text, found);
  return integers.length === 0
    ? (JSON.parse(text) as unknown)
    : replaceMarked(JSON.parse(markIntegers(text, integers)));
}

/** The same; undefined if the text is not valid JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return readExactJson(text);
  } catch {
    return undefined;
  }
}
