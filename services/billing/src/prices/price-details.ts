import type { PricingDetails, TierPricing } from "@turnpike/contract/api/prices/pricing";
import type { FlatPrice } from "@turnpike/contract/pricing/model-price";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import type { TierPrices } from "@turnpike/contract/pricing/price-variants";
import type { CatalogueModel } from "@turnpike/contract/pricing/rules/model-facts";
import { TOKEN_KINDS, type TokenKind } from "@turnpike/contract/pricing/rules/price-rule";
import { tidy } from "@turnpike/contract/pricing/rules/rule-rates";
import { findModelFacts } from "@turnpike/shared/catalogue/built-in-catalogue";

/** The kind that a kind without a price of its own follows; such kinds are left out. */
const FOLLOWS: Readonly<Partial<Record<TokenKind, TokenKind>>> = {
  audio_input: "input",
  audio_output: "output",
  audio_cache_read: "cache_read",
  image_input: "input",
  image_output: "output",
  image_cache_read: "cache_read",
  video_input: "input",
  video_output: "output",
  reasoning: "output",
};

function toRates({ base, weights }: FlatPrice, writesCache: boolean): TierPricing["rates"] {
  const isShown = (kind: TokenKind): boolean => {
    const followed = FOLLOWS[kind];
    if (kind === "cache_write" || kind === "cache_write_1h") return writesCache;
    return followed === undefined || weights[kind] !== weights[followed];
  };
  const shown = TOKEN_KINDS.filter(isShown);
  return Object.fromEntries(shown.map((kind) => [kind, tidy(weights[kind] * base * DOLLARS_PER_MILLION)]));
}

function toTierPricing(tier: string, prices: TierPrices, writesCache: boolean): readonly TierPricing[] {
  const bands = prices.bands.map(({ above, price }) => ({ tier, above, rates: toRates(price, writesCache) }));
  return [{ tier, above: 0, rates: toRates(prices.price, writesCache) }, ...bands];
}

function toPrices(price: ModelPrice): readonly TierPricing[] {
  const writes = price.writesCache === true;
  if (price.mode === "call") return [];
  if (!price.shape) return [{ tier: "", above: 0, rates: toRates(price, writes) }];
  const tiers = [...price.shape.tiers].flatMap(([name, prices]) => toTierPricing(name, prices, writes));
  return [...toTierPricing("", price.shape.standard, writes), ...tiers];
}

function toPieces({ pieces = {} }: ModelPrice): Record<string, number> {
  const { perImage, perSecond, perPage } = pieces;
  const images = typeof perImage === "number" ? { "*": perImage } : (perImage ?? {});
  return {
    ...Object.fromEntries(Object.entries(images).map(([kind, dollars]) => [`image ${kind}`, dollars])),
    ...(perSecond === undefined ? {} : { second: perSecond }),
    ...(perPage === undefined ? {} : { page: perPage }),
  };
}

function toFacts(model: string): PricingDetails["facts"] {
  const known: Partial<CatalogueModel> = findModelFacts(model) ?? {};
  const { context, max_output, input, output, tools, reasoning, deprecated_on } = known;
  const facts = { context, max_output, input, output, tools, reasoning, deprecated_on };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** What the family's ratios cannot express of a model's price, and the model's facts. */
export const toPriceDetails = (model: string, price: ModelPrice): PricingDetails => ({
  prices: [...toPrices(price)],
  regions: { ...price.shape?.regions },
  pieces: toPieces(price),
  facts: toFacts(model),
});
