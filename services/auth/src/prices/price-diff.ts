import type { OptionKey } from "@turnpike/contract/options/option-definitions";

/** The options that decide what a call costs. */
const PRICE_KEYS: ReadonlySet<string> = new Set<OptionKey>([
  "ModelRatio",
  "CompletionRatio",
  "ModelPrice",
  "CacheRatio",
  "CreateCacheRatio",
  "ImageRatio",
  "AudioRatio",
  "AudioCompletionRatio",
  "ToolPrices",
  "GroupRatio",
  "GroupGroupRatio",
  "fallback_pricing_enabled",
  "fallback_single_price",
  "fallback_input_ratio",
  "fallback_completion_ratio",
]);

/** One figure before and after; undefined where there was, or is, none. `name` is the model or group, "" for neither. */
export type PriceDifference = {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** Whether a change of the option is a change of prices. */
export const isPriceOption = (key: string): boolean => PRICE_KEYS.has(key);

function tableOf(text: string): ReadonlyMap<string, string> | undefined {
  try {
    const table: unknown = JSON.parse(text);
    if (typeof table !== "object" || table === null || Array.isArray(table)) return undefined;
    return new Map(Object.entries(table).map(([name, value]) => [name, JSON.stringify(value)]));
  } catch {
    return undefined;
  }
}

const single = (text: string): string | undefined => (text === "" ? undefined : text);

/** The figures that differ between two values of a price option, by name. */
export function priceDifferences(before: string, after: string): PriceDifference[] {
  const [old, now] = [tableOf(before), tableOf(after)];
  if (!old || !now) return before === after ? [] : [{ name: "", before: single(before), after: single(after) }];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((one) => one.before !== one.after)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
