import { computeImageQuota } from "@turnpike/contract/pricing/image-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-book";
import { computeQuota, QUOTA_MAX, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";

/** What a call's usage is multiplied with. */
export type Rates = { readonly price: ModelPrice; readonly groupRatio: number; readonly quotaPerUnit: number };

/** The call's price in plain pieces: those requested, or fewer if the upstream delivered fewer. Undefined for calls not priced by the piece. */
export const getBillableUnits = (call: RelayCall, delivered?: number): number | undefined =>
  call.dialect.endpoint?.priceUnits?.(call.body, delivered);

/** OpenAI's chat models that search once in every call, and do not say so in their usage. */
const SEARCHES = "search-preview";

function searchesAlways(call: RelayCall): boolean {
  if (call.dialect.endpoint) return false;
  if (call.model.includes(SEARCHES)) return true;
  const channel = getLastChannel(call);
  return channel !== undefined && getUpstreamModel(channel, call.model).includes(SEARCHES);
}

/** What an answered call used: what upstream told, and the search that some models make without telling. */
export function getCallUsage(call: RelayCall, usage: TokenUsage): TokenUsage {
  const isPlain = usage.toolCalls !== undefined || usage.promptTokens + usage.completionTokens === 0;
  return isPlain || !searchesAlways(call) ? usage : { ...usage, toolCalls: { web_search: 1 } };
}

const isEmpty = ({ promptTokens, completionTokens, toolCalls }: TokenUsage): boolean =>
  promptTokens + completionTokens === 0 && toolCalls === undefined;

/** What an answered call costs; an empty answer nothing, whatever the price goes by. */
export function computeCallQuota(call: RelayCall, rates: Rates, usage: TokenUsage): number {
  if (isEmpty(usage)) return 0;
  const quota = call.dialect.endpoint
    ? endpointQuota(call, rates, usage)
    : computeQuota(rates.price, rates.groupRatio, rates.quotaPerUnit, usage);
  return Math.min(QUOTA_MAX, quota);
}

/** What a call beside chat costs: by its usage, or by the piece where that is the price or upstream told no tokens. */
function endpointQuota(call: RelayCall, { price, groupRatio, quotaPerUnit }: Rates, usage: TokenUsage): number {
  const units = getBillableUnits(call, usage.images);
  const isByPiece = units !== undefined && (price.mode === "call" || usage.completionTokens === 0);
  return isByPiece
    ? computeImageQuota(price, groupRatio, quotaPerUnit, units)
    : computeQuota(price, groupRatio, quotaPerUnit, usage);
}

/** What the pieces of a call would cost, for its hold; 0 where nothing is paid by the piece. */
export function estimateUnitsQuota(call: RelayCall, { price, groupRatio, quotaPerUnit }: Rates): number {
  const units = getBillableUnits(call);
  return units === undefined ? 0 : computeImageQuota(price, groupRatio, quotaPerUnit, units);
}
