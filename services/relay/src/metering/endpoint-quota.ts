import { computeImageQuota } from "@turnpike/contract/pricing/image-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-book";
import { computeQuota, QUOTA_MAX, type TokenUsage } from "@turnpike/contract/pricing/quota";
import { type ChatCall, lastChannel } from "../calls/chat-call.ts";
import { imageCount } from "../dialects/endpoints/image-fields.ts";
import { upstreamModelOf } from "../routing/routing-table.ts";

/** What a call's usage is multiplied with. */
export type Rates = { readonly price: ModelPrice; readonly groupRatio: number; readonly quotaPerUnit: number };

const PARTS = 1_000_000;

/** What a call comes to in the pieces it is paid by: those asked for, or fewer where upstream delivered fewer; undefined where it has none. */
export function unitsOf(call: ChatCall, delivered?: number): number | undefined {
  const units = call.dialect.endpoint?.priceUnits?.(call.body);
  if (units === undefined || delivered === undefined) return units;
  const asked = imageCount(call.body);
  return delivered < asked ? Math.round((units * delivered * PARTS) / asked) / PARTS : units;
}

/** OpenAI's chat models that search once in every call, and do not say so in their usage. */
const SEARCHES = "search-preview";

function searchesAlways(call: ChatCall): boolean {
  if (call.dialect.endpoint) return false;
  if (call.model.includes(SEARCHES)) return true;
  const channel = lastChannel(call);
  return channel !== undefined && upstreamModelOf(channel, call.model).includes(SEARCHES);
}

/** What an answered call used: what upstream told, and the search that some models make without telling. */
export function usageOfCall(call: ChatCall, usage: TokenUsage): TokenUsage {
  const isPlain = usage.toolCalls !== undefined || usage.promptTokens + usage.completionTokens === 0;
  return isPlain || !searchesAlways(call) ? usage : { ...usage, toolCalls: { web_search: 1 } };
}

const isEmpty = ({ promptTokens, completionTokens, toolCalls }: TokenUsage): boolean =>
  promptTokens + completionTokens === 0 && toolCalls === undefined;

/** What an answered call costs; an empty answer nothing, whatever the price goes by. */
export function quotaOfCall(call: ChatCall, rates: Rates, usage: TokenUsage): number {
  if (isEmpty(usage)) return 0;
  const quota = call.dialect.endpoint
    ? endpointQuota(call, rates, usage)
    : computeQuota(rates.price, rates.groupRatio, rates.quotaPerUnit, usage);
  return Math.min(QUOTA_MAX, quota);
}

/** What a call beside chat costs: by its usage, or by the piece where that is the price or upstream told no tokens. */
function endpointQuota(call: ChatCall, { price, groupRatio, quotaPerUnit }: Rates, usage: TokenUsage): number {
  const units = unitsOf(call, usage.images);
  const isByPiece = units !== undefined && (price.mode === "call" || usage.completionTokens === 0);
  return isByPiece
    ? computeImageQuota(price, groupRatio, quotaPerUnit, units)
    : computeQuota(price, groupRatio, quotaPerUnit, usage);
}

/** What the pieces of a call would cost, for its hold; 0 where nothing is paid by the piece. */
export function guessPiecesQuota(call: ChatCall, { price, groupRatio, quotaPerUnit }: Rates): number {
  const units = unitsOf(call);
  return units === undefined ? 0 : computeImageQuota(price, groupRatio, quotaPerUnit, units);
}
