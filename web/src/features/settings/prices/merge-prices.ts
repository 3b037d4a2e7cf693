import { getPriceDifferences, parseTable } from "@turnpike/contract/options/price-differences";

/** An edit on top of prices that another administrator has changed. */
export type MergedPrice = {
  /** The option's value with both changes; where both changed the same price, the edit's. */
  readonly value: string;
  /** Names of models or groups whose price both changed, to different values; "" for an option that is one price. */
  readonly conflicts: readonly string[];
};

/** Applies what an edit changed between `base` and `edited` to `current`, which may have changed since `base`. */
export function mergePrices(base: string, edited: string, current: string): MergedPrice {
  const mine = getPriceDifferences(base, edited);
  const theirs = new Map(getPriceDifferences(base, current).map((difference) => [difference.name, difference.after]));
  const conflicts = mine.filter(({ name, after }) => theirs.has(name) && theirs.get(name) !== after);
  const names = conflicts.map(({ name }) => name);
  const [editedTable, currentTable] = [parseTable(edited), parseTable(current)];
  if (!editedTable || !currentTable) return { value: edited, conflicts: names };
  const merged = new Map(Object.entries(currentTable));
  for (const { name, after } of mine) {
    if (after === undefined) merged.delete(name);
    else merged.set(name, editedTable[name]);
  }
  return { value: JSON.stringify(Object.fromEntries(merged)), conflicts: names };
}
