/** Fields that are amounts of quota. */
const MONEY_FIELDS = new Set(["quota", "remain_quota", "period_quota", "amount"]);

/** One field before and after an action; undefined when it was absent. */
export type Change = { readonly name: string; readonly before: string | undefined; readonly after: string | undefined };

/** The amount of a field that holds quota; undefined for other fields. */
export const toAmount = (name: string, value: string | undefined): number | undefined =>
  MONEY_FIELDS.has(name) && value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined;

type Facts = Readonly<Record<string, unknown>>;

function getFacts(json: string): Facts | undefined {
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

/**
 * The changes of an action: field by field when both sides are objects, else both texts as one field without a name.
 */
export function listChanges(before: string, after: string): readonly Change[] {
  const [old, next] = [getFacts(before), getFacts(after)];
  if (!old || !next) return [{ name: "", before: whole(before), after: whole(after) }];
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .map((name) => ({ name, before: shown(old[name]), after: shown(next[name]) }))
    .filter((change) => change.before !== change.after);
}
