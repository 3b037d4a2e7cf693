import { readJsonEntries } from "../chat/json-entries.ts";

/** Removes some top-level fields from a JSON object's text; the values of the others keep their bytes. */
export function removeTopLevel(text: string, names: readonly string[]): string {
  const kept = readJsonEntries(text).filter(({ key }) => !names.includes(key));
  return `{${kept.map(({ key, start, end }) => `${JSON.stringify(key)}:${text.slice(start, end)}`).join(",")}}`;
}

/**
 * Replaces some top-level values in a JSON object's text (or adds them in front) and keeps all other bytes: unknown
 * fields, number formats and white space.
 */
export function patchTopLevel(text: string, values: Readonly<Record<string, unknown>>): string {
  const spans = new Map(readJsonEntries(text).map(({ key, ...span }) => [key, span]));
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
