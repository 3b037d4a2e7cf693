/** The span of a top-level value in a JSON object's text: from `start` up to `end`. */
type Span = { readonly start: number; readonly end: number };

const QUOTE = 34;
const BACKSLASH = 92;

/** Index after the string that starts at `from`. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/**
 * Spans of the top-level values of a JSON object, by name. The text must be valid JSON (it was parsed before); for a
 * repeated name the last value counts, as in JSON.parse. Strings are skipped with indexOf, so the cost hardly depends
 * on the prompt's length.
 */
export function topLevelSpans(text: string): Map<string, Span> {
  const spans = new Map<string, Span>();
  let depth = 0;
  let name: string | undefined;
  let valueStart = -1;
  const close = (end: number): void => {
    if (name !== undefined && valueStart >= 0) spans.set(name, { start: valueStart, end });
    name = undefined;
    valueStart = -1;
  };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(text, at);
      if (depth === 1 && name === undefined) name = JSON.parse(text.slice(at, end)) as string;
      at = end;
      continue;
    }
    const character = text.charAt(at);
    if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      depth--;
      if (depth === 0) close(at);
    } else if (depth === 1 && character === ":") valueStart = at + 1;
    else if (depth === 1 && character === ",") close(at);
    at++;
  }
  return spans;
}

/**
 * Replaces some top-level values in a JSON object's text (or adds them in front) and keeps all other bytes: unknown
 * fields, number formats and white space.
 */
export function patchTopLevel(text: string, values: Readonly<Record<string, unknown>>): string {
  const spans = topLevelSpans(text);
  const names = Object.keys(values);
  let patched = text;
  const replaced = names
    .filter((name) => spans.has(name))
    .toSorted((a, b) => (spans.get(b)?.start ?? 0) - (spans.get(a)?.start ?? 0));
  for (const name of replaced) {
    const span = spans.get(name);
    if (span) patched = patched.slice(0, span.start) + JSON.stringify(values[name]) + patched.slice(span.end);
  }
  const added = names
    .filter((name) => !spans.has(name))
    .map((name) => `${JSON.stringify(name)}:${JSON.stringify(values[name])}`);
  if (added.length === 0) return patched;
  const brace = patched.indexOf("{") + 1;
  return patched.slice(0, brace) + added.join(",") + (spans.size > 0 ? "," : "") + patched.slice(brace);
}
