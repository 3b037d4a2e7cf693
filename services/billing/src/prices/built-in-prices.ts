import { getPriceDifferences, parseTable } from "@turnpike/contract/options/price-differences";
import { getPriceValue, type PriceValues } from "@turnpike/contract/options/price-changes";
import { FAMILY_KEYS, type FamilyKey, type PriceKey } from "@turnpike/contract/options/price-options";
import { type FamilyTables, toFamilyTables } from "@turnpike/contract/options/family-tables";
import { foldModelName } from "@turnpike/contract/pricing/price-tables";
import { findRule } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import type { PriceRule, PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { getBuiltInCatalogue, getShippedRules } from "@turnpike/shared/catalogue/built-in-catalogue";

/** Entries of `CatalogueRules`; null removes the built-in price of a model. */
type TakenRules = Readonly<Record<string, PriceRule | null>>;

const withoutRemoved = (rules: TakenRules): PriceRules =>
  Object.fromEntries(Object.entries(rules).filter((entry): entry is [string, PriceRule] => entry[1] !== null));

/**
 * The built-in prices: those of this version, and the newer ones that an administrator took over since. A model that a newer catalogue
 * dropped has none until a later version lists it again.
 */
export function getBuiltInRules(values: PriceValues): PriceRules {
  const { date } = getBuiltInCatalogue();
  const shipped = getShippedRules();
  const taken = JSON.parse(getPriceValue(values, "CatalogueRules")) as TakenRules;
  const isOlder = getPriceValue(values, "CatalogueDate") < date;
  return withoutRemoved(isOlder ? { ...taken, ...shipped } : { ...shipped, ...taken });
}

const isFamilyKey = (key: PriceKey): key is FamilyKey => FAMILY_KEYS.some((one) => one === key);

const toNumbers = (text: string): Readonly<Record<string, number>> =>
  (parseTable(text) ?? {}) as Readonly<Record<string, number>>;

const without = (
  table: Readonly<Record<string, number>>,
  names: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => !Object.hasOwn(names, name)));

/** The tables of the prices that nothing in the family's options replaces. */
const tablesBelow = (values: PriceValues): FamilyTables =>
  toFamilyTables({ ...getBuiltInRules(values), ...(JSON.parse(getPriceValue(values, "PriceRules")) as PriceRules) });

/**
 * The family's options as its clients expect them: a price for every model. The operator's entries stand over the built-in ones; a
 * price a call replaces ratios, and ratios a price a call.
 */
export function toFamilyView(values: PriceValues): Readonly<Record<FamilyKey, string>> {
  const below = tablesBelow(values);
  const own = (key: FamilyKey): Readonly<Record<string, number>> => toNumbers(getPriceValue(values, key));
  const [ratios, calls] = [own("ModelRatio"), own("ModelPrice")];
  const view = FAMILY_KEYS.map((key) => {
    const hidden = key === "ModelPrice" ? ratios : calls;
    return [key, JSON.stringify({ ...without(below[key], hidden), ...own(key) })] as const;
  });
  return Object.fromEntries(view) as Record<FamilyKey, string>;
}

/**
 * The values to store after a change: entries of the family's options that equal a built-in price are left out, so that a client
 * that writes whole tables back sets nothing, and the next catalogue applies.
 */
export function withoutBuiltIn(values: PriceValues, changed: ReadonlySet<string>): PriceValues {
  const keys = FAMILY_KEYS.filter((key) => changed.has(key) && values[key] !== undefined);
  if (keys.length === 0) return values;
  const below = tablesBelow(values);
  const rest = keys.map((key) => {
    const table = toNumbers(values[key] ?? "{}");
    const left = Object.entries(table).filter(([name, value]) => below[key][name] !== value);
    const text = JSON.stringify(Object.fromEntries(left));
    return [key, getPriceDifferences("{}", text).length === 0 ? undefined : text] as const;
  });
  const next = { ...values, ...Object.fromEntries(rest) };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as PriceValues;
}

/** The price that applies where an option has no entry of a name, as the option's text; undefined for none. */
export type FindBuiltIn = (key: PriceKey, name: string) => string | undefined;

/** Finds built-in prices under an operator's values. Where another option prices the model, no built-in price applies. */
export function createBuiltInLookup(values: PriceValues): FindBuiltIn {
  const rules = getBuiltInRules(values);
  const own = JSON.parse(getPriceValue(values, "PriceRules")) as PriceRules;
  const toText = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
  return (key, name) => {
    const rule = findRule(rules, foldModelName(name));
    if (!rule) return undefined;
    if (key === "PriceRules" || key === "CatalogueRules") return toText(rule);
    if (!isFamilyKey(key) || Object.hasOwn(own, name)) return undefined;
    return toText(toFamilyTables({ [name]: rule })[key][name]);
  };
}
