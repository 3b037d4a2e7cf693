/** One fact before and after an action; undefined where there was none. */
export type Change = { readonly name: string; readonly before: string | undefined; readonly after: string | undefined };

type Facts = Readonly<Record<string, unknown>>;

function factsOf(json: string): Facts | undefined {
  if (json === "") return {};
  try {
    const parsed: unknown = JSON.parse(json);
    const isFacts = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
    return isFacts ? (parsed as Facts) : undefined;
  } catch {
    return undefined;
  }
}

const shown = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : JSON.stringify(value);

const whole = (json: string): string | undefined => (json === "" ? undefined : json);

/** What an action changed: fact by fact where both sides are objects, else the two texts as one fact without a name. */
export function listChanges(before: string, after: string): readonly Change[] {
  const [old, next] = [factsOf(before), factsOf(after)];
  if (!old || !next) return [{ name: "", before: whole(before), after: whole(after) }];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .map((name) => ({ name, before: shown(old[name]), after: shown(next[name]) }))
    .filter((change) => change.before !== change.after);
}
