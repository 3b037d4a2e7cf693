import type { PriceTables } from "../pricing/price-tables.ts";
import { CATALOGUE_ROW, type FamilyKey, isPriceKey } from "./price-options.ts";
import type { PriceRules } from "../pricing/rules/price-rule.ts";
import { isOptionKey, type OptionKey, OPTIONS } from "./option-definitions.ts";

/** The built-in prices, and the operator's own entries of the family's options. */
export type CatalogueInForce = {
  readonly rules: PriceRules;
  readonly own?: Readonly<Partial<Record<FamilyKey, Readonly<Record<string, number>>>>>;
};

/** Typed reads of the effective options: stored values over the built-in defaults. JSON is parsed once per snapshot. */
export type OptionsInForce = {
  readonly text: (key: OptionKey) => string;
  readonly flag: (key: OptionKey) => boolean;
  readonly number: (key: OptionKey) => number;
  readonly json: <Shape>(key: OptionKey) => Shape;
  /** The built-in prices, and what the operator set over them; undefined for prices without a catalogue. */
  readonly catalogue: () => CatalogueInForce | undefined;
};

/** Reads a snapshot; a missing key has its default, an unknown key is ignored. */
export function optionsInForce(stored: Iterable<{ readonly key: string; readonly value: string }>): OptionsInForce {
  const values = new Map<OptionKey, string>();
  let catalogueText: string | undefined;
  for (const { key, value } of stored) {
    if (isOptionKey(key)) values.set(key, value);
    else if (key === CATALOGUE_ROW) catalogueText = value;
  }
  let catalogue: CatalogueInForce | undefined;
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
    catalogue: () =>
      catalogueText === undefined ? undefined : (catalogue ??= JSON.parse(catalogueText) as CatalogueInForce),
  };
}

type Row = { readonly key: string; readonly value: string };

/**
 * Options with the prices of the price book; without a price book the prices among the options count, as in earlier
 * versions.
 */
export const joinPrices = (options: readonly Row[], book: readonly Row[] | undefined): readonly Row[] =>
  book ? [...options.filter(({ key }) => !isPriceKey(key)), ...book] : options;

type Ratios = Readonly<Record<string, number>>;

/** The pricing part of the options. */
export function toPriceTables(options: OptionsInForce): PriceTables {
  const catalogue = options.catalogue();
  const family = (key: FamilyKey): Ratios => catalogue?.own?.[key] ?? options.json<Ratios>(key);
  return {
    modelRatio: family("ModelRatio"),
    completionRatio: family("CompletionRatio"),
    modelPrice: family("ModelPrice"),
    cacheRatio: family("CacheRatio"),
    createCacheRatio: family("CreateCacheRatio"),
    imageRatio: family("ImageRatio"),
    audioRatio: family("AudioRatio"),
    audioCompletionRatio: family("AudioCompletionRatio"),
    rules: options.json<PriceRules>("PriceRules"),
    catalogue: catalogue?.rules ?? {},
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

/**
 * Groups that a user may use, with their descriptions: the UserUsableGroups option and the user's own group; "" is a
 * visitor.
 */
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
