import {
  applyPriceChanges,
  findPriceProblem,
  getPriceValue,
  type PriceValues,
} from "@turnpike/contract/options/price-changes";
import type { PriceChange } from "@turnpike/contract/options/price-differences";
import { PRICE_KEYS, type PriceKey } from "@turnpike/contract/options/price-options";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Logger } from "@turnpike/shared/log/log";
import { withoutBuiltIn } from "./built-in-prices.ts";
import type { PriceBookDoc } from "../store/price-book-document.ts";
import { withoutUndefined } from "./takeover-plan.ts";

/** The values after changes; throws what is wrong with them. */
function applyChanges(stored: PriceValues, changes: readonly PriceChange[]): PriceValues {
  const applied = applyPriceChanges(stored, changes);
  if (!("problem" in applied)) return applied.values;
  if (applied.problem === "fallback") throw new AppError("fallback_pricing_invalid", "the fallback prices contradict");
  const { key, path, detail } = applied.problem;
  throw new AppError("option_invalid", `the price at ${path} is not valid`, { params: { key, path, detail } });
}

/** Values that this version can read; another one has its default until it is replaced. */
export function getUsable(values: PriceValues, log: Logger): PriceValues {
  const isUsable = (key: PriceKey): boolean => {
    const value = values[key];
    const problem = value === undefined ? undefined : findPriceProblem(key, value);
    if (problem) log.warn({ option: key, problem }, "stored option invalid, using its default");
    return value !== undefined && !problem;
  };
  return Object.fromEntries(PRICE_KEYS.filter(isUsable).map((key) => [key, values[key]]));
}

export function requireBook(book: PriceBookDoc | undefined): PriceBookDoc {
  if (!book) throw new AppError("unavailable", "the prices of this install are not known yet");
  return book;
}

/** The book after changes, and each option that they changed, before and after; throws what is wrong with the changes. */
export function planChange(book: PriceBookDoc, usable: PriceValues, changes: readonly PriceChange[]) {
  const named = new Set<PriceKey>(changes.map(({ key }) => key));
  const values = withoutBuiltIn(applyChanges(usable, changes), named);
  // A rule that changes may clear the ratios of its model.
  const keys = PRICE_KEYS.filter((key) => values[key] !== (named.has(key) ? book.values : usable)[key]);
  const next = Object.fromEntries(keys.map((key) => [key, values[key]]));
  return {
    book: { ...book, revision: book.revision + 1, values: withoutUndefined({ ...book.values, ...next }) },
    options: keys.map((key) => ({ key, before: getPriceValue(usable, key), after: getPriceValue(values, key) })),
  };
}

export function requireRevision({ revision }: PriceBookDoc, expected: number | undefined): void {
  if (expected !== undefined && expected !== revision)
    throw new AppError("prices_changed", `revision ${revision} is in force, not ${expected}`);
}
