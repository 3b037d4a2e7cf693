import { builtInCompletionRatio } from "./completion-ratio.ts";

/** The pricing options in force, parsed. Ratio 1 is $2 per million prompt tokens; model prices are dollars a call. */
export type PriceTables = {
  readonly modelRatio: Readonly<Record<string, number>>;
  readonly completionRatio: Readonly<Record<string, number>>;
  readonly modelPrice: Readonly<Record<string, number>>;
  readonly cacheRatio: Readonly<Record<string, number>>;
  readonly groupRatio: Readonly<Record<string, number>>;
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

/** What one call costs: by tokens (ratios) or by call (dollars). `name` is the model name the figures were found under. */
export type ModelPrice = {
  readonly mode: "tokens" | "call";
  readonly rule: PriceRule;
  readonly name: string;
  readonly modelRatio: number;
  readonly completionRatio: number;
  readonly cacheRatio: number;
  readonly cacheWriteRatio: number;
  /** Dollars a call; -1 in tokens mode, as log readers of this family expect. */
  readonly modelPrice: number;
};

/** What a model without any price costs once somebody accepted that. */
export const UNSET_MODEL_RATIO = 37.5;
/** Anthropic's price of five-minute cache writes; no other provider reports any. */
const CACHE_WRITE_RATIO = 1.25;

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
  return {
    mode: "tokens",
    rule,
    name,
    modelRatio,
    completionRatio: row.completionRatio ?? own(tables.completionRatio, name) ?? builtInCompletionRatio(name),
    cacheRatio: own(tables.cacheRatio, name) ?? 1,
    cacheWriteRatio: CACHE_WRITE_RATIO,
    modelPrice: -1,
  };
}

const byCall = (rule: PriceRule, name: string, modelPrice: number): ModelPrice => ({
  mode: "call",
  rule,
  name,
  modelRatio: 0,
  completionRatio: 0,
  cacheRatio: 0,
  cacheWriteRatio: 0,
  modelPrice,
});

function namedPrice(tables: PriceTables, rule: PriceRule, name: string): ModelPrice | undefined {
  const folded = foldModelName(name);
  const price = own(tables.modelPrice, folded);
  if (price !== undefined) return byCall(rule, folded, price);
  const ratio = own(tables.modelRatio, folded);
  return ratio === undefined ? undefined : byTokens(tables, { rule, name: folded, modelRatio: ratio });
}

/**
 * The price of a call: by the requested name; else by the upstream name after mapping; else by the fallback options; else, where
 * self-use mode or the user accepts it, ratio 37.5; else undefined: the call must be refused.
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
  if (fallback.enabled && fallback.singlePrice > 0) return byCall("fallback", requestedModel, fallback.singlePrice);
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

/** The group's price factor; a group without one costs 1. */
export const groupRatioOf = (tables: PriceTables, group: string): number => own(tables.groupRatio, group) ?? 1;
