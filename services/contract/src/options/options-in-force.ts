import type { PriceTables } from "../pricing/price-book.ts";
import { isPriceKey } from "../pricing/price-options.ts";
import { isOptionKey, type OptionKey, OPTIONS } from "./option-definitions.ts";

/** Typed reads of the effective options: stored values over the built-in defaults. JSON is parsed once per snapshot. */
export type OptionsInForce = {
  readonly text: (key: OptionKey) => string;
  readonly flag: (key: OptionKey) => boolean;
  readonly number: (key: OptionKey) => number;
  readonly json: <Shape>(key: OptionKey) => Shape;
};

/** Reads a snapshot; a key it lacks has its default, a key this version does not know is ignored. */
export function optionsInForce(stored: Iterable<{ readonly key: string; readonly value: string }>): OptionsInForce {
  const values = new Map<OptionKey, string>();
  for (const { key, value } of stored) if (isOptionKey(key)) values.set(key, value);
  const parsed = new Map<OptionKey, unknown>();
  const text = (key: OptionKey): string => values.get(key) ?? OPTIONS[key].default;
  return {
    text,
    flag: (key) => text(key) === "true",
    number: (key) => Number(text(key)),
    json: <Shape>(key: OptionKey): Shape => {
      if (!parsed.has(key)) parsed.set(key, JSON.parse(text(key)));
      // The shape was checked by checkOptionValue when the value was stored.
      return parsed.get(key) as Shape;
    },
  };
}

type Row = { readonly key: string; readonly value: string };

/** Options with the prices of the price book; without one the prices among the options count, as versions before had them. */
export const joinPrices = (options: readonly Row[], book: readonly Row[] | undefined): readonly Row[] =>
  book ? [...options.filter(({ key }) => !isPriceKey(key)), ...book] : options;

type Ratios = Readonly<Record<string, number>>;

/** The pricing part of the options. */
export function priceTablesOf(options: OptionsInForce): PriceTables {
  return {
    modelRatio: options.json<Ratios>("ModelRatio"),
    completionRatio: options.json<Ratios>("CompletionRatio"),
    modelPrice: options.json<Ratios>("ModelPrice"),
    cacheRatio: options.json<Ratios>("CacheRatio"),
    createCacheRatio: options.json<Ratios>("CreateCacheRatio"),
    imageRatio: options.json<Ratios>("ImageRatio"),
    audioRatio: options.json<Ratios>("AudioRatio"),
    audioCompletionRatio: options.json<Ratios>("AudioCompletionRatio"),
    toolPrices: options.json<Ratios>("ToolPrices"),
    groupRatio: options.json<Ratios>("GroupRatio"),
    groupGroupRatio: options.json<Readonly<Record<string, Ratios>>>("GroupGroupRatio"),
    cachedResponseRatio: options.number("ResponseCacheRatio"),
    quotaPerUnit: options.number("QuotaPerUnit"),
    selfUseModeEnabled: options.flag("SelfUseModeEnabled"),
    fallback: {
      enabled: options.flag("fallback_pricing_enabled"),
      singlePrice: options.number("fallback_single_price"),
      inputRatio: options.number("fallback_input_ratio"),
      completionRatio: options.number("fallback_completion_ratio"),
    },
  };
}

/** Groups a user may use, with their descriptions: the UserUsableGroups option and the user's own group; "" is a visitor. */
export function usableGroups(options: OptionsInForce, userGroup: string): Record<string, string> {
  const groups = { ...options.json<Record<string, string>>("UserUsableGroups") };
  if (userGroup !== "" && !Object.hasOwn(groups, userGroup)) groups[userGroup] = "用户分组";
  return groups;
}

/** Whether a user may use a group: the user's own, or one open to all. */
export function isGroupUsable(options: OptionsInForce, userGroup: string, group: string): boolean {
  if (group === userGroup && group !== "") return true;
  return Object.hasOwn(options.json<Record<string, string>>("UserUsableGroups"), group);
}
