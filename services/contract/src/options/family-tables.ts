import { toFamilyRatios } from "../pricing/model-price.ts";
import type { FamilyKey } from "./price-options.ts";
import { completeRates } from "../pricing/rules/rule-rates.ts";
import type { PriceRule, PriceRules } from "../pricing/rules/price-rule.ts";

type Table = Record<string, number>;

/** Prices of models in the tables of the one-api family's options. */
export type FamilyTables = Readonly<Record<FamilyKey, Readonly<Table>>>;

/** A minute of a recording counts as a thousand tokens: converts millions of tokens to seconds. */
const SECOND_TO_MILLION = 60_000;
const MILLION = 1_000_000;

/** Dollars a call, for a rule without prices for tokens. */
function callPrice({ per_call: call, per_image: image }: PriceRule): number | undefined {
  if (call !== undefined || image === undefined) return call;
  return typeof image === "number" ? image : (image["*"] ?? Math.max(0, ...Object.values(image)));
}

function tokenRates(rule: PriceRule): ReturnType<typeof completeRates> | undefined {
  if (rule.input !== undefined) return completeRates(rule);
  if (rule.per_second !== undefined) return completeRates({ input: rule.per_second * SECOND_TO_MILLION });
  return rule.per_character === undefined
    ? undefined
    : completeRates({ input: rule.per_character * MILLION, output: 0 });
}

/** The standard prices of some rules as the family's options write them; bands and tiers have no place there. */
export function toFamilyTables(rules: PriceRules): FamilyTables {
  const tables: Record<FamilyKey, Table> = {
    ModelRatio: {},
    CompletionRatio: {},
    ModelPrice: {},
    CacheRatio: {},
    CreateCacheRatio: {},
    ImageRatio: {},
    AudioRatio: {},
    AudioCompletionRatio: {},
  };
  for (const [name, rule] of Object.entries(rules)) {
    const rates = tokenRates(rule);
    const price = rates ? undefined : callPrice(rule);
    if (price !== undefined) tables.ModelPrice[name] = price;
    if (!rates) continue;
    const ratios = toFamilyRatios(rates);
    tables.ModelRatio[name] = ratios.modelRatio;
    tables.CompletionRatio[name] = ratios.completionRatio;
    if (rule.cache_read !== undefined) tables.CacheRatio[name] = ratios.cacheRatio;
    if (rule.cache_write !== undefined) tables.CreateCacheRatio[name] = ratios.cacheWriteRatio;
    if (rule.image_input !== undefined) tables.ImageRatio[name] = ratios.imageRatio;
    if (rule.audio_input !== undefined) tables.AudioRatio[name] = ratios.audioRatio;
    if (rule.audio_output !== undefined) tables.AudioCompletionRatio[name] = ratios.audioCompletionRatio;
  }
  return tables;
}
