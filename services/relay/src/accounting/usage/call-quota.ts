import { computeImageQuota } from "@turnpike/contract/pricing/image-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-book";
import { computeQuota, QUOTA_MAX, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { type RelayCall, getLastChannel } from "../../core/call/relay-call.ts";
import { getUpstreamModel } from "../../core/call/channel.ts";

/** The rates that a call's usage is multiplied with. */
export type Rates = { readonly price: ModelPrice; readonly groupRatio: number; readonly quotaPerUnit: number };

/** The call's price in plain pieces: those requested, or fewer if the upstream delivered fewer. Undefined for calls not priced by the piece. */
export const getBillableUnits = (call: RelayCall, delivered?: number): number | undefined =>
  call.dialect.endpoint?.priceUnits?.(call.body, delivered);

/** OpenAI's chat models that search once in every call and do not report it in their usage. */
const SEARCHES = "search-preview";

function searchesAlways(call: RelayCall): boolean {
  if (call.dialect.endpoint) return false;
  if (call.model.includes(SEARCHES)) return true;
  const channel = getLastChannel(call);
  return channel !== undefined && getUpstreamModel(channel, call.model).includes(SEARCHES);
}

/** The usage of a served call: upstream's report, plus the search that some models run without reporting it. */
export function getCallUsage(call: RelayCall, usage: TokenUsage): TokenUsage {
  const isPlain = usage.toolCalls !== undefined || usage.promptTokens + usage.completionTokens === 0;
  return isPlain || !searchesAlways(call) ? usage : { ...usage, toolCalls: { web_search: 1 } };
}

const isEmpty = ({ promptTokens, completionTokens, toolCalls }: TokenUsage): boolean =>
  promptTokens + completionTokens === 0 && toolCalls === undefined;

/** The cost of a served call; an empty response costs nothing, whatever the price is based on. */
export function computeCallQuota(call: RelayCall, rates: Rates, usage: TokenUsage): number {
  if (isEmpty(usage)) return 0;
  const quota = call.dialect.endpoint
    ? endpointQuota(call, rates, usage)
    : computeQuota(rates.price, rates.groupRatio, rates.quotaPerUnit, usage);
  return Math.min(QUOTA_MAX, quota);
}

/** The cost of a non-chat call: by its usage, or per unit if the price is per unit or upstream reported no tokens. */
function endpointQuota(call: RelayCall, { price, groupRatio, quotaPerUnit }: Rates, usage: TokenUsage): number {
  const units = getBillableUnits(call, usage.images);
  const isByPiece = units !== undefined && (price.mode === "call" || usage.completionTokens === 0);
  return isByPiece
    ? computeImageQuota(price, groupRatio, quotaPerUnit, units)
    : computeQuota(price, groupRatio, quotaPerUnit, usage);
}

/** The estimated cost of a call's units, for its hold; 0 if nothing is priced per unit. */
export function estimateUnitsQuota(call: RelayCall, { price, groupRatio, quotaPerUnit }: Rates): number {
  const units = getBillableUnits(call);
  return units === undefined ? 0 : computeImageQuota(price, groupRatio, quotaPerUnit, units);
}
