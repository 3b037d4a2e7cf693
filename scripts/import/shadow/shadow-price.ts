import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { computeRowQuota, type PriceFinder } from "../../../services/billing/src/rehearsal/row-quota.ts";
import type { RowCharge } from "../../../services/billing/src/rehearsal/row-charge.ts";
import { type Dollars, toUnits } from "../litellm/dollars.ts";
import type { SpendCall } from "./spend-call.ts";

/** Why two bills of a call differ, or cannot be compared. */
export const REASONS = {
  equal: "both are equal",
  rounding: "less than a unit: a call costs whole units here, and at least one",
  cache_price: "the cache's tokens have another price",
  group_ratio: "the ratio of the user's group",
  margin: "LiteLLM's margin or discount",
  price: "the model has another price",
  litellm_cache: "LiteLLM served the response from its cache, where this gateway calls the provider",
  no_price: "the model has no price here: such calls are refused",
  no_tokens: "the row has no tokens: pieces such as images are not in it",
  no_image_kind: "the row does not name the kind of image that was made",
} as const;
export type Reason = keyof typeof REASONS;

/** The group of a call's payer here, and its ratio. */
export type PayerGroup = { readonly group: string; readonly ratio: number | undefined };
type PricedGroup = PayerGroup & { readonly ratio: number };

/** A call in both bills, in quota units; `units` is undefined where this gateway's price is unknown. */
export type ShadowPrice = {
  readonly litellmUnits: number;
  readonly units: number | undefined;
  readonly reason: Reason;
};

/** Differences up to this are rounding. */
const ROUNDING_UNITS = 1;

const toCharge = ({ model, upstreamModel, usage }: SpendCall, { group, ratio = 1 }: PayerGroup): RowCharge => ({
  model,
  upstreamModel,
  group,
  usage,
  groupRatio: ratio,
  cachedRatio: undefined,
  units: undefined,
  kind: undefined,
  endpoint: undefined,
  isTask: false,
  isEstimated: false,
  acceptsUnset: false,
});

const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= ROUNDING_UNITS;

/** Calculates what calls of LiteLLM cost at the prices in force, by the formula of calls. */
export function createShadowPricing(finder: PriceFinder) {
  const { quotaPerUnit } = finder.tables;

  /** Why a calculated price differs: each cause is tried alone. */
  function explain(
    call: SpendCall,
    price: ModelPrice,
    about: { units: number; litellm: number; payer: PricedGroup },
  ): Reason {
    const { units, litellm, payer } = about;
    if (units === litellm) return "equal";
    if (call.isCached && call.spend === 0n) return "litellm_cache";
    if (isClose(units, litellm)) return "rounding";
    const compute = (usage: SpendCall["usage"], ratio: number): number | string =>
      computeRowQuota(toCharge({ ...call, usage }, payer), price, { groupRatio: ratio, quotaPerUnit }, finder.find);
    const fits = (quota: number | string, dollars: Dollars = call.spend): boolean =>
      typeof quota === "number" && isClose(quota, toUnits(dollars, quotaPerUnit));
    if (payer.ratio !== 1 && fits(compute(call.usage, 1))) return "group_ratio";
    if (call.listPrice !== undefined && call.listPrice !== call.spend && fits(units, call.listPrice)) return "margin";
    const { cacheReadTokens, cacheWriteTokens } = call.usage;
    if (cacheReadTokens + cacheWriteTokens === 0) return "price";
    const { cacheWriteLongTokens: _, audioCacheReadTokens: __, imageCacheReadTokens: ___, ...plain } = call.usage;
    return fits(compute({ ...plain, cacheReadTokens: 0, cacheWriteTokens: 0 }, payer.ratio)) ? "cache_price" : "price";
  }

  return function priceCall(call: SpendCall, payer: PayerGroup): ShadowPrice {
    const litellmUnits = toUnits(call.spend, quotaPerUnit);
    // A failed call costs nothing here.
    if (call.isFailed) return { litellmUnits, units: 0, reason: litellmUnits === 0 ? "equal" : "price" };
    const { promptTokens, completionTokens } = call.usage;
    if (promptTokens + completionTokens === 0)
      return call.spend === 0n
        ? { litellmUnits, units: 0, reason: "equal" }
        : { litellmUnits, units: undefined, reason: "no_tokens" };
    const charge = toCharge(call, payer);
    const price = finder.find(charge);
    const { group, ratio } = payer;
    if (!price || ratio === undefined) return { litellmUnits, units: undefined, reason: "no_price" };
    const units = computeRowQuota(charge, price, { groupRatio: ratio, quotaPerUnit }, finder.find);
    if (units === "no_image_kind") return { litellmUnits, units: undefined, reason: units };
    if (typeof units !== "number") return { litellmUnits, units: undefined, reason: "no_tokens" };
    return {
      litellmUnits,
      units,
      reason: explain(call, price, { units, litellm: litellmUnits, payer: { group, ratio } }),
    };
  };
}
