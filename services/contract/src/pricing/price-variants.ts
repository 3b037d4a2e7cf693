import { type FlatPrice, priceByRates } from "./model-price.ts";
import { type PriceRule, STANDARD_TIERS } from "./rules/price-rule.ts";
import { standardRates, type TierRates, tierRates } from "./rules/rule-rates.ts";
import type { TokenUsage } from "./usage.ts";

/** The prices of one tier: of short prompts, and by the prompt length above which they change, rising. */
export type TierPrices = {
  readonly price: FlatPrice;
  readonly bands: readonly { readonly above: number; readonly price: FlatPrice }[];
};

/** Prices that depend on the prompt's length, on the tier that served the call and on the region that processed it. */
export type PriceShape = {
  readonly standard: TierPrices;
  readonly tiers: ReadonlyMap<string, TierPrices>;
  readonly regions: Readonly<Record<string, number>>;
};

const toTierPrices = ({ rates, bands }: TierRates): TierPrices => ({
  price: priceByRates(rates),
  bands: bands.map((band) => ({ above: band.above, price: priceByRates(band.rates) })),
});

/** The prices of a rule for tokens, prepared for calls. */
export function toPriceShape(rule: PriceRule): PriceShape {
  const standard = standardRates(rule);
  const tiers = Object.entries(rule.tiers ?? {}).map(
    ([name, tier]) => [name, toTierPrices(tierRates(tier, standard))] as const,
  );
  return { standard: toTierPrices(standard), tiers: new Map(tiers), regions: rule.regions ?? {} };
}

/** Whether a shape has only one flat price. */
export const isFlat = ({ standard, tiers, regions }: PriceShape): boolean =>
  standard.bands.length === 0 && tiers.size === 0 && Object.keys(regions).length === 0;

/** The price of a call among those of its model, and what chose it. */
export type SelectedPrice = {
  readonly price: FlatPrice;
  /** The factor of the region; 1 for none. */
  readonly regionRatio: number;
  /** The prompt length above which this price holds. */
  readonly above?: number;
  /** The tier whose price this is, where it is not the standard one. */
  readonly tier?: string;
  /** True where upstream named a tier without a price: the most expensive one is charged. */
  readonly isAssumed?: boolean;
  readonly region?: string;
};

type Priced = FlatPrice & { readonly shape?: PriceShape };

function atLength(tier: TierPrices, promptTokens: number): { readonly price: FlatPrice; readonly above?: number } {
  for (let index = tier.bands.length - 1; index >= 0; index--) {
    const band = tier.bands[index];
    if (band && promptTokens > band.above) return band;
  }
  return { price: tier.price };
}

/** A rough cost of a usage, to compare the tiers of one model. */
function roughCost({ base, weights }: FlatPrice, { promptTokens, completionTokens, ...usage }: TokenUsage): number {
  const { cacheReadTokens: read, cacheWriteTokens: written } = usage;
  const plain = Math.max(0, promptTokens - read - written);
  const prompt = plain * weights.input + read * weights.cache_read + written * weights.cache_write;
  return (prompt + completionTokens * weights.output) * base;
}

function mostExpensive(shape: PriceShape, usage: TokenUsage): Pick<SelectedPrice, "price" | "above" | "tier"> {
  const all = [undefined, ...shape.tiers.keys()].map((tier) => {
    const prices = (tier !== undefined && shape.tiers.get(tier)) || shape.standard;
    return { ...atLength(prices, usage.promptTokens), ...(tier === undefined ? {} : { tier }) };
  });
  return all.reduce((worst, one) => (roughCost(one.price, usage) > roughCost(worst.price, usage) ? one : worst));
}

/** Whether a tier has a price of its own, or the standard one. */
export const isTierPriced = ({ shape }: Pick<Priced, "shape">, tier: string): boolean =>
  STANDARD_TIERS.has(tier) || shape?.tiers.has(tier) === true;

/** The price for a usage: by the tier, speed and region that its response reports, and by the length of its prompt. */
export function selectPrice(price: Priced, usage: TokenUsage): SelectedPrice {
  const { shape } = price;
  const { tier = "", region } = usage;
  const isUnknown = !isTierPriced(price, tier) && usage.isStandardPrice !== true;
  if (!shape) return isUnknown ? { price, regionRatio: 1, isAssumed: true } : { price, regionRatio: 1 };
  const regionRatio = (region !== undefined && shape.regions[region]) || 1;
  const place = region !== undefined && regionRatio !== 1 ? { region, regionRatio } : { regionRatio };
  if (isUnknown) return { ...mostExpensive(shape, usage), isAssumed: true, ...place };
  const named = shape.tiers.get(tier);
  const found = atLength(named ?? shape.standard, usage.promptTokens);
  return { ...found, ...(named ? { tier } : {}), ...place };
}
