import type { PriceKey } from "./price-options.ts";

/**
 * A change of one price option: a new value as the option's text, a reset to the built-in default, or entries of its table to set
 * and to remove.
 */
export type PriceChange = { readonly key: PriceKey } & (
  | { readonly value: string }
  | { readonly reset: true }
  | { readonly set: Readonly<Record<string, unknown>>; readonly remove: readonly string[] }
);

type Table = Readonly<Record<string, unknown>>;

/** The table in a JSON text; undefined for any other value. */
export function parseTable(text: string): Table | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? (parsed as Table) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * One price before and after; undefined means that there was, or is, no price. `name` is the model or group, "" for
 * neither.
 */
export type PriceDifference = {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

const toTexts = (table: Table): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([name, entry]) => [name, JSON.stringify(entry)]));
const toSingle = (text: string): string | undefined => (text === "" ? undefined : text);

/** The prices that differ between two values of a price option, by name. */
export function getPriceDifferences(before: string, after: string): PriceDifference[] {
  const [oldTable, newTable] = [parseTable(before), parseTable(after)];
  if (!oldTable || !newTable)
    return before === after ? [] : [{ name: "", before: toSingle(before), after: toSingle(after) }];
  const [old, now] = [toTexts(oldTable), toTexts(newTable)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((difference) => difference.before !== difference.after)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The change of one option that turns one value into another; for tables only the entries that differ. */
export function toPriceChange(key: PriceKey, before: string, after: string): PriceChange {
  const [old, now] = [parseTable(before), parseTable(after)];
  if (!old || !now) return { key, value: after };
  const differences = getPriceDifferences(before, after);
  const set = differences.filter((difference) => difference.after !== undefined);
  return {
    key,
    set: Object.fromEntries(set.map(({ name }) => [name, now[name]])),
    remove: differences.flatMap((difference) => (difference.after === undefined ? [difference.name] : [])),
  };
}
