import {
  priceByCall,
  priceByRates,
  priceByRatios,
  type FlatPrice,
  type PiecePrices,
  type PriceRuleName,
} from "./model-price.ts";
import { isFlat, type PriceShape, toPriceShape } from "./price-variants.ts";
import { findRule } from "./rules/catalogue-lookup.ts";
import { type FamilyOverrides, withOverrides } from "./rules/overridden-rules.ts";
import type { PriceRule, PriceRules } from "./rules/price-rule.ts";
import { AUDIO_COMPLETION_RATIO, CACHE_WRITE_RATIO, completeRates } from "./rules/rule-rates.ts";
import { listToolPrices, withOwnToolPrices } from "./tool-prices.ts";

export type { PriceRuleName } from "./model-price.ts";

/** The effective pricing options, parsed. Ratio 1 is $2 per million prompt tokens; model prices are dollars a call. */
export type PriceTables = {
  readonly modelRatio: Readonly<Record<string, number>>;
  readonly completionRatio: Readonly<Record<string, number>>;
  readonly modelPrice: Readonly<Record<string, number>>;
  readonly cacheRatio: Readonly<Record<string, number>>;
  readonly createCacheRatio: Readonly<Record<string, number>>;
  readonly imageRatio: Readonly<Record<string, number>>;
  readonly audioRatio: Readonly<Record<string, number>>;
  readonly audioCompletionRatio: Readonly<Record<string, number>>;
  /** The operator's prices with bands and tiers. */
  readonly rules: PriceRules;
  /** The built-in prices. */
  readonly catalogue: PriceRules;
  readonly toolPrices: Readonly<Record<string, number>>;
  readonly groupRatio: Readonly<Record<string, number>>;
  /** User's own group → group in use → the ratio that overrides the latter's. */
  readonly groupGroupRatio: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The share of the price that a cached response costs. */
  readonly cachedResponseRatio: number;
  readonly quotaPerUnit: number;
  readonly selfUseModeEnabled: boolean;
  readonly fallback: {
    readonly enabled: boolean;
    readonly singlePrice: number;
    readonly inputRatio: number;
    readonly completionRatio: number;
  };
};

/**
 * The price of one call: by tokens or by call (dollars). `name` is the model name under which it was found; `shape` holds what depends
 * on the prompt's length, the tier and the region (price-variants.ts).
 */
export type ModelPrice = FlatPrice & {
  readonly rule: PriceRuleName;
  readonly name: string;
  /** Dollars for 1000 calls, by tool; see tool-prices.ts. */
  readonly toolPrices: Readonly<Record<string, number>>;
  readonly pieces?: PiecePrices;
  readonly shape?: PriceShape;
  /** True where the provider bills cache writes at a price of their own. */
  readonly writesCache?: boolean;
};

/** The price of an unpriced model once the site or the user accepts it. */
export const UNSET_MODEL_RATIO = 37.5;
const MILLION = 1_000_000;

/** Custom-GPT names all share one price row. */
export function foldModelName(name: string): string {
  if (name.startsWith("gpt-4-gizmo")) return "gpt-4-gizmo-*";
  if (name.startsWith("gpt-4o-gizmo")) return "gpt-4o-gizmo-*";
  return name;
}

const own = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Where a price was found. */
type Place = { readonly rule: PriceRuleName; readonly name: string };

/** What the family's options set for a model. */
function findOverrides(tables: PriceTables, name: string): FamilyOverrides {
  const all = {
    modelRatio: own(tables.modelRatio, name),
    completionRatio: own(tables.completionRatio, name),
    cacheRatio: own(tables.cacheRatio, name),
    cacheWriteRatio: own(tables.createCacheRatio, name),
    imageRatio: own(tables.imageRatio, name),
    audioRatio: own(tables.audioRatio, name),
    audioCompletionRatio: own(tables.audioCompletionRatio, name),
  };
  return Object.fromEntries(Object.entries(all).filter(([, ratio]) => ratio !== undefined));
}

/** The rules of all models that have one, with the operator's ratios in place of their own; those with another price are left out. */
export function listRules(tables: PriceTables): PriceRules {
  const all = Object.entries({ ...tables.catalogue, ...tables.rules });
  return Object.fromEntries(
    all.flatMap(([name, rule]): [string, PriceRule][] => {
      const isReplaced = own(tables.modelRatio, name) !== undefined && rule.input === undefined;
      if (isReplaced || own(tables.modelPrice, name) !== undefined) return [];
      const overrides = findOverrides(tables, name);
      return [[name, Object.keys(overrides).length === 0 ? rule : withOverrides(rule, overrides)]];
    }),
  );
}

/** A price by ratios alone, for a model without a rule. */
function byRatios(tables: PriceTables, { rule, name }: Place, overrides: FamilyOverrides): ModelPrice {
  const completionRatio = overrides.completionRatio ?? 1;
  const { audioRatio } = overrides;
  const flat = priceByRatios({
    modelRatio: overrides.modelRatio ?? UNSET_MODEL_RATIO,
    completionRatio,
    cacheRatio: overrides.cacheRatio ?? 1,
    cacheWriteRatio: overrides.cacheWriteRatio ?? CACHE_WRITE_RATIO,
    imageRatio: overrides.imageRatio ?? 1,
    audioRatio: audioRatio ?? 1,
    audioCompletionRatio:
      overrides.audioCompletionRatio ?? (audioRatio === undefined ? completionRatio : AUDIO_COMPLETION_RATIO),
  });
  return { ...flat, rule, name, toolPrices: listToolPrices(tables.toolPrices, name) };
}

const byCall = (tables: PriceTables, { rule, name }: Place, modelPrice: number): ModelPrice => ({
  ...priceByCall(modelPrice),
  rule,
  name,
  toolPrices: listToolPrices(tables.toolPrices, name),
});

/** The price of an image whose kind is unknown. */
const plainImage = (perImage: NonNullable<PriceRule["per_image"]>): number =>
  typeof perImage === "number" ? perImage : (perImage["*"] ?? Math.max(0, ...Object.values(perImage)));

function toPieces(rule: PriceRule): PiecePrices | undefined {
  const pieces = {
    ...(rule.per_image === undefined ? {} : { perImage: rule.per_image }),
    // A model with prices for tokens reports them.
    ...(rule.per_second === undefined || rule.input !== undefined ? {} : { perSecond: rule.per_second }),
    ...(rule.per_page === undefined ? {} : { perPage: rule.per_page }),
  };
  return Object.keys(pieces).length === 0 ? undefined : pieces;
}

/** The flat price of a rule without prices for tokens. */
function pieceFlat(rule: PriceRule): FlatPrice {
  if (rule.per_call !== undefined) return priceByCall(rule.per_call);
  if (rule.per_image !== undefined) return priceByCall(plainImage(rule.per_image));
  // Speech counts its characters as tokens.
  return priceByRates(completeRates({ input: (rule.per_character ?? 0) * MILLION, output: 0 }));
}

/** The price of a rule, with the operator's ratios in place of its own. */
function byRule(tables: PriceTables, { rule, name }: Place, found: PriceRule): ModelPrice {
  const overrides = findOverrides(tables, name);
  const priced = Object.keys(overrides).length === 0 ? found : withOverrides(found, overrides);
  const pieces = toPieces(priced);
  const toolPrices = withOwnToolPrices(listToolPrices(tables.toolPrices, name), tables.toolPrices, {
    model: name,
    per_search: priced.per_search,
    per_map_query: priced.per_map_query,
  });
  const common = { rule, name, toolPrices, ...(pieces === undefined ? {} : { pieces }) };
  if (priced.input === undefined) return { ...pieceFlat(priced), ...common };
  const shape = toPriceShape(priced);
  const writes = priced.cache_write === undefined ? {} : { writesCache: true };
  return { ...shape.standard.price, ...common, ...writes, ...(isFlat(shape) ? {} : { shape }) };
}

/** The price that the operator or the catalogue has for a name: a price a call, ratios, a rule, the built-in price. */
function namedPrice(tables: PriceTables, rule: PriceRuleName, name: string): ModelPrice | undefined {
  const place = { rule, name: foldModelName(name) };
  const price = own(tables.modelPrice, place.name);
  if (price !== undefined) return byCall(tables, place, price);
  const found = Object.hasOwn(tables.rules, place.name)
    ? tables.rules[place.name]
    : findRule(tables.catalogue, place.name);
  const ratio = own(tables.modelRatio, place.name);
  // A ratio makes a model whose built-in price is by the piece one by tokens.
  const fits = found !== undefined && (ratio === undefined || found.input !== undefined);
  if (fits) return byRule(tables, place, found);
  return ratio === undefined ? undefined : byRatios(tables, place, findOverrides(tables, place.name));
}

/**
 * The price of a call: by the requested name; else by the upstream name after mapping; else by the fallback options;
 * else, where self-use mode or the user accepts it, ratio 37.5; else undefined, and the call must be refused.
 */
export function findModelPrice(
  tables: PriceTables,
  requestedModel: string,
  upstreamModel: string,
  acceptUnset: boolean,
): ModelPrice | undefined {
  const named =
    namedPrice(tables, "model", requestedModel) ??
    (upstreamModel === requestedModel ? undefined : namedPrice(tables, "upstream_model", upstreamModel));
  if (named) return named;
  const { fallback } = tables;
  if (fallback.enabled && fallback.singlePrice > 0)
    return byCall(tables, { rule: "fallback", name: requestedModel }, fallback.singlePrice);
  if (fallback.enabled && fallback.inputRatio > 0) {
    const { inputRatio: modelRatio, completionRatio } = fallback;
    const overrides = { ...findOverrides(tables, requestedModel), modelRatio };
    const place = { rule: "fallback", name: requestedModel } as const;
    return byRatios(tables, place, completionRatio > 0 ? { ...overrides, completionRatio } : overrides);
  }
  if (tables.selfUseModeEnabled || acceptUnset) {
    const overrides = { ...findOverrides(tables, requestedModel), modelRatio: UNSET_MODEL_RATIO };
    return byRatios(tables, { rule: "unset_accepted", name: requestedModel }, overrides);
  }
  return undefined;
}

/** The ratio of one group's users in another group, where the operator set one. */
export function findSpecialGroupRatio(tables: PriceTables, group: string, userGroup: string): number | undefined {
  const ofUser = Object.hasOwn(tables.groupGroupRatio, userGroup) ? tables.groupGroupRatio[userGroup] : undefined;
  return ofUser && own(ofUser, group);
}

/** The price factor of a group for users of `userGroup`; undefined for a group without one, which nothing may be sold to. */
export const findGroupRatio = (tables: PriceTables, group: string, userGroup = ""): number | undefined =>
  findSpecialGroupRatio(tables, group, userGroup) ?? own(tables.groupRatio, group);
