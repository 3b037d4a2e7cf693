import { AUDIO_COMPLETION_RATIO, builtInAudioRatio } from "./audio-ratio.ts";
import { builtInCompletionRatio } from "./completion-ratio.ts";
import { timesRatio } from "./decimal.ts";
import { toolPricesOf } from "./tool-prices.ts";

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

/** Which rule gave a price; the log row names it. */
export type PriceRule = "model" | "upstream_model" | "fallback" | "unset_accepted";

/**
 * The price of one call: by tokens (ratios) or by call (dollars). `name` is the model name under which it was found.
 */
export type ModelPrice = {
  readonly mode: "tokens" | "call";
  readonly rule: PriceRule;
  readonly name: string;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  readonly cacheWriteRatio: number;
  /** Cache writes with a lifetime of an hour. */
  readonly cacheWriteLongRatio: number;
  /** Ratio of prompt images to prompt text. */
  readonly imageRatio: number;
  /** Ratio of prompt audio to prompt text; `audio_input` in `toolPrices` takes precedence. */
  readonly audioRatio: number;
  /** Ratio of completion audio to prompt audio; without a prompt audio ratio, that of completion text. */
  readonly audioCompletionRatio: number;
  /** Dollars for 1000 calls, by tool; see tool-prices.ts. */
  readonly toolPrices: Readonly<Record<string, number>>;
  /** Dollars a call; -1 in tokens mode, as log readers of this family expect. */
  readonly modelPrice: number;
};

/** The price of an unpriced model once the site or the user accepts it. */
export const UNSET_MODEL_RATIO = 37.5;
/** Anthropic's price of five-minute cache writes; no other provider reports any. */
const CACHE_WRITE_RATIO = 1.25;
/** The price of hour-long cache writes relative to five-minute ones. */
const LONG_CACHE_WRITE_FACTOR = 1.6;

/** Custom-GPT names all share one price row. */
export function foldModelName(name: string): string {
  if (name.startsWith("gpt-4-gizmo")) return "gpt-4-gizmo-*";
  if (name.startsWith("gpt-4o-gizmo")) return "gpt-4o-gizmo-*";
  return name;
}

const own = (table: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function byTokens(
  tables: PriceTables,
  row: {
    readonly rule: PriceRule;
    readonly name: string;
    readonly modelRatio: number;
    readonly completionRatio?: number;
  },
): ModelPrice {
  const { rule, name, modelRatio } = row;
  const completionRatio = row.completionRatio ?? own(tables.completionRatio, name) ?? builtInCompletionRatio(name);
  const cacheWriteRatio = own(tables.createCacheRatio, name) ?? CACHE_WRITE_RATIO;
  const audioRatio = own(tables.audioRatio, name) ?? builtInAudioRatio(name);
  return {
    mode: "tokens",
    rule,
    name,
    modelRatio,
    completionRatio,
    cacheRatio: own(tables.cacheRatio, name) ?? 1,
    cacheWriteRatio,
    cacheWriteLongRatio: timesRatio(cacheWriteRatio, LONG_CACHE_WRITE_FACTOR),
    imageRatio: own(tables.imageRatio, name) ?? 1,
    audioRatio: audioRatio ?? 1,
    audioCompletionRatio:
      own(tables.audioCompletionRatio, name) ?? (audioRatio === undefined ? completionRatio : AUDIO_COMPLETION_RATIO),
    toolPrices: toolPricesOf(tables.toolPrices, name),
    modelPrice: -1,
  };
}

const byCall = (tables: PriceTables, rule: PriceRule, name: string, modelPrice: number): ModelPrice => ({
  mode: "call",
  rule,
  name,
  modelRatio: 0,
  completionRatio: 0,
  cacheRatio: 0,
  cacheWriteRatio: 0,
  cacheWriteLongRatio: 0,
  imageRatio: 0,
  audioRatio: 0,
  audioCompletionRatio: 0,
  toolPrices: toolPricesOf(tables.toolPrices, name),
  modelPrice,
});

function namedPrice(tables: PriceTables, rule: PriceRule, name: string): ModelPrice | undefined {
  const folded = foldModelName(name);
  const price = own(tables.modelPrice, folded);
  if (price !== undefined) return byCall(tables, rule, folded, price);
  const ratio = own(tables.modelRatio, folded);
  return ratio === undefined ? undefined : byTokens(tables, { rule, name: folded, modelRatio: ratio });
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
    return byCall(tables, "fallback", requestedModel, fallback.singlePrice);
  if (fallback.enabled && fallback.inputRatio > 0) {
    return byTokens(tables, {
      rule: "fallback",
      name: requestedModel,
      modelRatio: fallback.inputRatio,
      ...(fallback.completionRatio > 0 ? { completionRatio: fallback.completionRatio } : {}),
    });
  }
  if (tables.selfUseModeEnabled || acceptUnset) {
    return byTokens(tables, { rule: "unset_accepted", name: requestedModel, modelRatio: UNSET_MODEL_RATIO });
  }
  return undefined;
}

/** The ratio of one group's users in another group, where the operator set one. */
export function specialGroupRatioOf(tables: PriceTables, group: string, userGroup: string): number | undefined {
  const ofUser = Object.hasOwn(tables.groupGroupRatio, userGroup) ? tables.groupGroupRatio[userGroup] : undefined;
  return ofUser && own(ofUser, group);
}

/** The price factor of a group for users of `userGroup`; 1 for a group without one. */
export const groupRatioOf = (tables: PriceTables, group: string, userGroup = ""): number =>
  specialGroupRatioOf(tables, group, userGroup) ?? own(tables.groupRatio, group) ?? 1;
