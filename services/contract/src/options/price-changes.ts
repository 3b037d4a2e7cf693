import { isFallbackPricingValid } from "./fallback-pricing.ts";
import { checkOptionValue } from "./option-validation.ts";
import { normalizeOption } from "./option-formats.ts";
import { getPriceDifferences, parseTable, type PriceChange } from "./price-differences.ts";
import { FAMILY_KEYS, PRICE_OPTIONS, type PriceKey } from "./price-options.ts";
import { fromLiteLlm, isLiteLlmEntry } from "../pricing/rules/litellm-rules.ts";
import { findRuleProblem } from "../pricing/rules/price-rule.ts";

/** The stored price options; a missing option has its built-in default. */
export type PriceValues = Readonly<Partial<Record<PriceKey, string>>>;

/**
 * The reason why a change is refused: the place in the prices (`ModelRatio["gpt-4o"]`) and a Chinese source sentence.
 */
export type PriceProblem = { readonly key: string; readonly path: string; readonly detail: string };

const entryPath = (key: string, name: string): string => `${key}[${JSON.stringify(name)}]`;

const RULE_KEYS: ReadonlySet<PriceKey> = new Set<PriceKey>(["PriceRules", "CatalogueRules"]);

/** The first wrong rule of a table, with the path of the wrong field in it. */
function findWrongRule(key: PriceKey, value: string): PriceProblem | undefined {
  for (const [name, entry] of Object.entries(parseTable(value) ?? {})) {
    if (entry === null && key === "CatalogueRules") continue;
    const problem = findRuleProblem(entry);
    if (problem) return { key, path: `${entryPath(key, name)}${problem.path}`, detail: problem.detail };
  }
  return undefined;
}

/** The error of a price option's value, with the invalid entry; undefined when it may be stored. */
export function findPriceProblem(key: PriceKey, value: string): PriceProblem | undefined {
  const detail = checkOptionValue(key, value);
  if (detail === undefined) return undefined;
  const isWrong = ([name, entry]: [string, unknown]): boolean =>
    checkOptionValue(key, JSON.stringify({ [name]: entry })) !== undefined;
  const ruleProblem = RULE_KEYS.has(key) ? findWrongRule(key, value) : undefined;
  if (ruleProblem) return ruleProblem;
  const wrong = PRICE_OPTIONS[key].type === "json" ? Object.entries(parseTable(value) ?? {}).find(isWrong) : undefined;
  return { key, path: wrong ? entryPath(key, wrong[0]) : key, detail };
}

/** The value of a price option: the stored one, else the built-in default. */
export const getPriceValue = (values: PriceValues, key: PriceKey): string => values[key] ?? PRICE_OPTIONS[key].default;

/** Rules with the entries in LiteLLM's form converted; those without a price that can be metered stay, and are refused. */
function withConvertedRules(key: PriceKey, value: string): string {
  const table = RULE_KEYS.has(key) ? parseTable(value) : undefined;
  if (!table || !Object.values(table).some(isLiteLlmEntry)) return value;
  const convert = (entry: unknown): unknown => (isLiteLlmEntry(entry) ? (fromLiteLlm(entry) ?? entry) : entry);
  return JSON.stringify(Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, convert(entry)])));
}

/** The value after a change; undefined for the built-in default. */
function toNextValue(values: PriceValues, change: PriceChange): string | PriceProblem | undefined {
  const { key } = change;
  if ("reset" in change) return undefined;
  if ("value" in change) return withConvertedRules(key, normalizeOption(PRICE_OPTIONS[key], change.value));
  const before = getPriceValue(values, key);
  const table = parseTable(before);
  if (!table) return { key, path: key, detail: "必须是 JSON 对象" };
  const next = new Map(Object.entries(table));
  for (const name of change.remove) next.delete(name);
  for (const [name, entry] of Object.entries(change.set)) next.set(name, entry);
  const after = withConvertedRules(key, JSON.stringify(Object.fromEntries(next)));
  // A built-in table without a changed entry stays built in, so that the next version can replace it.
  return getPriceDifferences(before, after).length === 0 ? values[key] : after;
}

const FALLBACK_KEYS: ReadonlySet<string> = new Set<PriceKey>([
  "fallback_pricing_enabled",
  "fallback_single_price",
  "fallback_input_ratio",
  "fallback_completion_ratio",
]);

/** Whether the fallback prices may be stored together. */
function isFallbackValid(values: PriceValues): boolean {
  return isFallbackPricingValid({
    enabled: getPriceValue(values, "fallback_pricing_enabled") === "true",
    single_price: Number(getPriceValue(values, "fallback_single_price")),
    input_ratio: Number(getPriceValue(values, "fallback_input_ratio")),
    completion_ratio: Number(getPriceValue(values, "fallback_completion_ratio")),
  });
}

/**
 * A rule that changes replaces the ratios that the family's options hold for its model, as the last write counts; ratios that change
 * with it stay.
 */
function clearReplacedRatios(
  stored: PriceValues,
  values: Partial<Record<PriceKey, string>>,
  changed: ReadonlySet<PriceKey>,
): void {
  if (!changed.has("PriceRules")) return;
  const differences = getPriceDifferences(getPriceValue(stored, "PriceRules"), getPriceValue(values, "PriceRules"));
  const names = differences.filter(({ after }) => after !== undefined).map(({ name }) => name);
  for (const key of FAMILY_KEYS) {
    const table = changed.has(key) ? undefined : parseTable(values[key] ?? "{}");
    if (!table || !names.some((name) => Object.hasOwn(table, name))) continue;
    values[key] = JSON.stringify(Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name))));
  }
}

/** The stored values after some changes, or the reason why all of them are refused. */
export type AppliedChanges = { readonly values: PriceValues } | { readonly problem: PriceProblem | "fallback" };

/**
 * Applies changes to the stored price options: all of them, or none when one is invalid. Fallback prices that change
 * together must be consistent; one that changes alone may be a step of several, because clients that know single
 * options send them one by one.
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
  clearReplacedRatios(stored, values, seen);
  const fallbacks = [...seen].filter((key) => FALLBACK_KEYS.has(key));
  return fallbacks.length > 1 && !isFallbackValid(values) ? { problem: "fallback" } : { values };
}
