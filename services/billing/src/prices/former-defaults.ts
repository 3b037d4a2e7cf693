import { readFileSync } from "node:fs";
import { parseTable } from "@turnpike/contract/options/price-differences";
import { getPriceValue, type PriceValues } from "@turnpike/contract/options/price-changes";
import { FAMILY_KEYS, type FamilyKey } from "@turnpike/contract/options/price-options";
import { foldModelName } from "@turnpike/contract/pricing/price-tables";
import { findRule } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import type { PriceBookDoc } from "../store/price-book-document.ts";
import { getBuiltInRules } from "./built-in-prices.ts";

type Tables = Readonly<Partial<Record<FamilyKey, Readonly<Record<string, number>>>>>;

let read: Tables | undefined;

/** The price tables that versions before the catalogue shipped. Nothing but this migration reads them. */
function getFormerDefaults(): Tables {
  read ??= JSON.parse(readFileSync(new URL("./former-defaults.json", import.meta.url), "utf8")) as Tables;
  return read;
}

/**
 * Values without the rows that a version before the catalogue shipped: an administrator who changed one price there stored the whole table. Rows
 * with other numbers stay, and so do those of models that have no built-in price, which would lose their price.
 */
export function withoutFormerDefaults(values: PriceValues): PriceValues {
  const rules = getBuiltInRules(values);
  const defaults = getFormerDefaults();
  const next: Partial<Record<keyof PriceValues, string>> = { ...values };
  for (const key of FAMILY_KEYS) {
    const table = parseTable(values[key] ?? "{}");
    const former = defaults[key];
    if (!table || !former) continue;
    const isDropped = ([name, value]: [string, unknown]): boolean =>
      Object.hasOwn(former, name) && former[name] === value && findRule(rules, foldModelName(name)) !== undefined;
    const rows = Object.entries(table);
    const left = rows.filter((row) => !isDropped(row));
    if (left.length === rows.length) continue;
    if (left.length === 0) delete next[key];
    else next[key] = JSON.stringify(Object.fromEntries(left));
  }
  return next;
}

/** A book without former defaults, and the options that this changed, for the history. A book that holds `formerValues` is done. */
export function dropFormerDefaults<Book extends Omit<PriceBookDoc, "_id">>(book: Book) {
  if (book.formerValues !== undefined) return { book, options: [] };
  const values = withoutFormerDefaults(book.values);
  const keys = FAMILY_KEYS.filter((key) => values[key] !== book.values[key]);
  const formerValues = Object.fromEntries(keys.map((key) => [key, book.values[key]]));
  return {
    book: { ...book, values, formerValues },
    options: keys.map((key) => ({
      key,
      before: getPriceValue(book.values, key),
      after: getPriceValue(values, key),
    })),
  };
}
