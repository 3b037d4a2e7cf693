import { computeImageQuota } from "@turnpike/contract/pricing/image-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-book";
import { computeQuota, type TokenUsage } from "@turnpike/contract/pricing/quota";
import type { ChatCall } from "../calls/chat-call.ts";

type Rates = { readonly price: ModelPrice; readonly groupRatio: number; readonly quotaPerUnit: number };

const unitsOf = (call: ChatCall): number | undefined => call.dialect.endpoint?.priceUnits?.(call.body);

/** What a call beside chat costs: by its usage, or by the piece where that is the price or upstream told no tokens. */
export function endpointQuota(call: ChatCall, { price, groupRatio, quotaPerUnit }: Rates, usage: TokenUsage): number {
  const units = unitsOf(call);
  const isByPiece = units !== undefined && (price.mode === "call" || usage.completionTokens === 0);
  if (!isByPiece) return computeQuota(price, groupRatio, quotaPerUnit, usage);
  return usage.promptTokens + usage.completionTokens === 0
    ? 0
    : computeImageQuota(price, groupRatio, quotaPerUnit, units);
}

/** What the pieces of a call would cost, for its hold; 0 where nothing is paid by the piece. */
export function guessPiecesQuota(call: ChatCall, { price, groupRatio, quotaPerUnit }: Rates): number {
  const units = unitsOf(call);
  return units === undefined ? 0 : computeImageQuota(price, groupRatio, quotaPerUnit, units);
}
