import { computeImageQuota, getImagePrice } from "@turnpike/contract/pricing/image-price";
import { type FindModelPrice, priceIterations } from "@turnpike/contract/pricing/iterations";
import { type FlatPrice, priceByCall } from "@turnpike/contract/pricing/model-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import {
  computeQuota,
  computeTotalQuota,
  NO_USAGE,
  QUOTA_MAX,
  type TokenUsage,
} from "@turnpike/contract/pricing/quota";
import { withParts } from "@turnpike/contract/pricing/usage";
import { separateOwnIterations } from "./iterations.ts";
import { getRequestedTier } from "./service-tiers.ts";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";

/** The rates that a call's usage is multiplied with. */
export type Rates = {
  readonly price: ModelPrice;
  readonly groupRatio: number;
  /** The share of the price that a cached response costs; absent for every other call. */
  readonly cachedShare?: number;
  readonly quotaPerUnit: number;
  /** The prices of models that iterations of the call name. */
  readonly findModelPrice?: FindModelPrice;
};

/** The call's price in plain pieces: those requested, or fewer if the upstream delivered fewer. Undefined for calls not priced by the piece. */
export const getBillableUnits = (call: RelayCall, delivered?: number): number | undefined =>
  call.dialect.endpoint?.priceUnits?.(call.body, delivered);

/** OpenAI's chat models that search once in every call and do not report it in their usage. */
const SEARCHES = "search-preview";

/** Whether a call's model searches once in every call. */
export function searchesAlways(call: RelayCall): boolean {
  if (call.dialect.endpoint) return false;
  if (call.model.includes(SEARCHES)) return true;
  const channel = getLastChannel(call);
  return channel !== undefined && getUpstreamModel(channel, call.model).includes(SEARCHES);
}

/** OpenAI's regional addresses; their price is higher. */
const REGIONAL = /^https:\/\/(us|eu)\.api\.openai\.com/;

/** The region of the channel, where the response does not name one. */
function getRegion(call: RelayCall): string | undefined {
  const channel = getLastChannel(call);
  return channel && REGIONAL.exec(channel.baseUrl)?.[1];
}

/** A tier that the response does not name: what was requested, where that is not cheaper than the standard tier. */
function assumedTier(call: RelayCall, { shape }: ModelPrice): string | undefined {
  const tier = shape && getRequestedTier(call);
  const prices = tier === undefined ? undefined : shape?.tiers.get(tier);
  return prices && shape && prices.price.weights.input > shape.standard.price.weights.input ? tier : undefined;
}

/**
 * The usage of a served call: upstream's report, plus the search that some models run without reporting it, the tier and region where
 * the report lacks them, and whether the site accepts the tier at the standard price. Its iterations are those that are charged by
 * themselves.
 */
export function getCallUsage(call: RelayCall, reported: TokenUsage, price: ModelPrice, policy: string): TokenUsage {
  const usage = separateOwnIterations(call, reported);
  const isEmptyUsage = usage.promptTokens + usage.completionTokens === 0;
  const searched =
    usage.toolCalls !== undefined || isEmptyUsage || !searchesAlways(call)
      ? usage
      : { ...usage, toolCalls: { web_search: 1 } };
  const isAccepted = policy === "standard" && usage.tier !== undefined && usage.tier === getRequestedTier(call);
  const tier = usage.tier ?? assumedTier(call, price);
  const region = usage.region ?? getRegion(call);
  if (tier === usage.tier && region === usage.region && !isAccepted) return searched;
  return { ...withParts(searched, { tier, region }), ...(isAccepted ? { isStandardPrice: true } : {}) };
}

const isEmpty = ({ promptTokens, completionTokens, toolCalls, iterations }: TokenUsage): boolean =>
  promptTokens + completionTokens === 0 && toolCalls === undefined && iterations === undefined;

/** The cost of a served call; an empty response costs nothing, whatever the price is based on. */
export function computeCallQuota(call: RelayCall, rates: Rates, usage: TokenUsage): number {
  if (isEmpty(usage)) return 0;
  const { price, groupRatio, cachedShare, quotaPerUnit } = rates;
  const ratio = cachedShare === undefined ? groupRatio : [groupRatio, cachedShare];
  const pieces = getPieces(call, price, usage);
  if (pieces) return Math.min(QUOTA_MAX, computeImageQuota(pieces.price, ratio, quotaPerUnit, pieces.units));
  const quota =
    usage.iterations === undefined
      ? computeQuota(price, ratio, quotaPerUnit, usage)
      : computeTotalQuota(priceIterations(price, usage, rates.findModelPrice), ratio, quotaPerUnit);
  return Math.min(QUOTA_MAX, quota);
}

/** What a call that is charged by the piece is charged for; undefined for a call charged by its usage. */
export function getPieces(
  call: RelayCall,
  price: ModelPrice,
  usage: TokenUsage,
): { readonly price: FlatPrice; readonly units: number; readonly kind?: string } | undefined {
  const units = getBillableUnits(call, usage.images);
  if (units === undefined || (price.mode !== "call" && usage.completionTokens > 0)) return undefined;
  const pieces = call.dialect.endpoint?.pieces?.(call.body);
  const perImage = price.pieces?.perImage;
  if (!pieces || perImage === undefined) return { price, units };
  // What was delivered, also where that is more than requested: upstream charges for each.
  const count = usage.images ?? pieces.count;
  const { dollars, kind } = getImagePrice(perImage, pieces);
  return { price: priceByCall(dollars), units: count, ...(kind === undefined ? {} : { kind }) };
}

/** The estimated cost of a call's pieces, for its hold; 0 if nothing is priced by the piece. Tokens may be charged instead. */
export function estimateUnitsQuota(call: RelayCall, { price, groupRatio, quotaPerUnit }: Rates): number {
  const pieces = getPieces(call, price, NO_USAGE);
  return pieces ? computeImageQuota(pieces.price, groupRatio, quotaPerUnit, pieces.units) : 0;
}
