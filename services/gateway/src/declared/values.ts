/** A JSON value with sorted object keys, as text: equal values have equal texts. */
export function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  const parts = entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `${JSON.stringify(name)}:${toCanonical(entry)}`);
  return `{${parts.join(",")}}`;
}

/** Parses JSON text; undefined for an empty or invalid text. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === "" ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Parses the JSON text of a table; an empty one when it is none. */
export function parseTable<Value = unknown>(text: string): Record<string, Value> {
  const parsed = parseJson(text);
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Record<string, Value>)
    : {};
}

/** The parts of a comma-separated list. */
export const splitList = (text: string): string[] => text.split(",").filter((part) => part !== "");

const SHOWN_MAX = 300;

/** A value for display: a text as it is, anything else as JSON, long ones cut. */
export function show(value: unknown): string {
  const text = typeof value === "string" ? value : value === undefined ? "" : toCanonical(value);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

/** Names of objects in a list: the second and later ones of the same name have a number. */
export function nameAll(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return number === 1 ? name : `${name}#${number}`;
  });
}
