import type { PricingDetails } from "@turnpike/contract/api/prices/pricing";
import type { PriceRule } from "@turnpike/contract/pricing/rules/price-rule";
import { queryOptions } from "@tanstack/react-query";
import { readPricing } from "../../../../domain/models/pricing-api.ts";

/** The price list in force, for what the family's tables cannot express of a model. */
export const listedPricesQuery = queryOptions({
  queryKey: ["options", "listed-prices"],
  queryFn: ({ signal }) => readPricing(signal),
});

const IMAGE = "image ";

/** The price in force as a rule: its bands and tiers are where an operator's own ones start, so that none of them is lost. */
export function toListedRule({ prices, regions, pieces }: PricingDetails): PriceRule {
  const find = (tier: string, above: number) => prices.find((one) => one.tier === tier && one.above === above)?.rates;
  const listBands = (tier: string): PriceRule["bands"] => {
    const bands = prices.filter((one) => one.tier === tier && one.above > 0);
    return bands.length === 0 ? undefined : bands.map(({ above, rates }) => ({ above, ...rates }));
  };
  const names = [...new Set(prices.map(({ tier }) => tier))].filter((name) => name !== "");
  const toTier = (tier: string) => {
    const bands = listBands(tier);
    return [tier, { ...find(tier, 0), ...(bands && { bands }) }] as const;
  };
  const images = Object.entries(pieces).filter(([name]) => name.startsWith(IMAGE));
  const bands = listBands("");
  return {
    ...find("", 0),
    ...(bands && { bands }),
    ...(names.length > 0 ? { tiers: Object.fromEntries(names.map(toTier)) } : {}),
    ...(Object.keys(regions).length > 0 ? { regions } : {}),
    ...(images.length > 0
      ? { per_image: Object.fromEntries(images.map(([name, dollars]) => [name.slice(IMAGE.length), dollars])) }
      : {}),
    ...(pieces["second"] === undefined ? {} : { per_second: pieces["second"] }),
    ...(pieces["page"] === undefined ? {} : { per_page: pieces["page"] }),
  };
}
