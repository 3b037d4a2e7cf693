import { isFallbackPricingValid } from "../options/fallback-pricing.ts";
import { checkOptionValue } from "../options/option-validation.ts";
import { normalizeOption } from "../options/option-formats.ts";
import { getPriceDifferences, parseTable, type PriceChange } from "./price-differences.ts";
import { PRICE_OPTIONS, type PriceKey } from "./price-options.ts";

/** The stored price options; one that is missing has its built-in default. */
export type PriceValues = Readonly<Partial<Record<PriceKey, string>>>;

/** Why a change is refused: where in the prices (`ModelRatio["gpt-4o"]`) and a Chinese source sentence. */
export type PriceProblem = { readonly key: string; readonly path: string; readonly detail: string };

const entryPath = (key: string, name: string): string => `${key}[${JSON.stringify(name)}]`;

/** What is wrong with the value of a price option, at the entry it is wrong in; undefined when it may be stored. */
export function findPriceProblem(key: PriceKey, value: string): PriceProblem | undefined {
  const detail = checkOptionValue(key, value);
  if (detail === undefined) return undefined;
  const isWrong = ([name, entry]: [string, unknown]): boolean =>
    checkOptionValue(key, JSON.stringify({ [name]: entry })) !== undefined;
  const wrong = PRICE_OPTIONS[key].type === "json" ? Object.entries(parseTable(value) ?? {}).find(isWrong) : undefined;
  return { key, path: wrong ? entryPath(key, wrong[0]) : key, detail };
}

/** The value of a price option: the stored one, else the built-in default. */
export const getPriceValue = (values: PriceValues, key: PriceKey): string => values[key] ?? PRICE_OPTIONS[key].default;

/** The value after a change; undefined for the built-in default. */
function toNextValue(values: PriceValues, change: PriceChange): string | PriceProblem | undefined {
  const { key } = change;
  if ("reset" in change) return undefined;
  if ("value" in change) return normalizeOption(PRICE_OPTIONS[key], change.value);
  const before = getPriceValue(values, key);
  const table = parseTable(before);
  if (!table) return { key, path: key, detail: "必须是 JSON 对象" };
  const next = new Map(Object.entries(table));
  for (const name of change.remove) next.delete(name);
  for (const [name, entry] of Object.entries(change.set)) next.set(name, entry);
  const after = JSON.stringify(Object.fromEntries(next));
  // A built-in table that nothing changes stays built in, so that the next version may bring another one.
  return getPriceDifferences(before, after).length === 0 ? values[key] : after;
}

const FALLBACK_KEYS: ReadonlySet<string> = new Set<PriceKey>([
  "fallback_pricing_enabled",
  "fallback_single_price",
  "fallback_input_ratio",
  "fallback_completion_ratio",
]);

/** Whether the fallback prices may stand together. */
function isFallbackValid(values: PriceValues): boolean {
  return isFallbackPricingValid({
    enabled: getPriceValue(values, "fallback_pricing_enabled") === "true",
    single_price: Number(getPriceValue(values, "fallback_single_price")),
    input_ratio: Number(getPriceValue(values, "fallback_input_ratio")),
    completion_ratio: Number(getPriceValue(values, "fallback_completion_ratio")),
  });
}

/** The stored values after some changes, or why all of them are refused. */
export type AppliedChanges = { readonly values: PriceValues } | { readonly problem: PriceProblem | "fallback" };

/**
 * Applies changes to the stored price options: all of them, or none when one is wrong. Fallback prices that change together must fit
 * together; one that changes alone may be a step of several, as clients that know single options take them.
 */
export function applyPriceChanges(stored: PriceValues, changes: readonly PriceChange[]): AppliedChanges {
  const values: Partial<Record<PriceKey, string>> = { ...stored };
  const seen = new Set<PriceKey>();
  for (const change of changes) {
    const { key } = change;
    if (seen.has(key)) return { problem: { key, path: key, detail: `${key} 重复` } };
    seen.add(key);
    const next = toNextValue(values, change);
    if (typeof next === "object") return { problem: next };
    const problem = next === undefined ? undefined : findPriceProblem(key, next);
    if (problem) return { problem };
    if (next === undefined) delete values[key];
    else values[key] = next;
  }
  const fallbacks = [...seen].filter((key) => FALLBACK_KEYS.has(key));
  return fallbacks.length > 1 && !isFallbackValid(values) ? { problem: "fallback" } : { values };
}
