import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { getCostPrice } from "../accounting/usage/call-cost.ts";
import { getUpstreamModel, type RoutedChannel, type Tiers } from "../core/call/channel.ts";

/** The call that channels are compared by: its length hardly changes which one is cheaper. */
const PROMPT_TOKENS = 1_000;
const COMPLETION_TOKENS = 300;
const EVERY_GROUP = "*";
const NO_RULES: PriceRules = {};

const groupsByOptions = new WeakMap<OptionsInForce, ReadonlySet<string>>();

/** Whether calls of a group go to the cheapest channel first, by the option CheapestChannelGroups. */
function isCheapestFirst(options: OptionsInForce, group: string): boolean {
  let groups = groupsByOptions.get(options);
  if (!groups) {
    const names = options.text("CheapestChannelGroups").split(",");
    groups = new Set(names.map((name) => name.trim()).filter((name) => name !== ""));
    groupsByOptions.set(options, groups);
  }
  return groups.has(group) || groups.has(EVERY_GROUP);
}

/** Dollars for a call of ordinary length. */
function getNominalCost({ mode, base, weights, modelPrice }: ModelPrice): number {
  if (mode === "call") return modelPrice;
  const tokens = (PROMPT_TOKENS * weights.input + COMPLETION_TOKENS * weights.output) * base;
  return tokens / QUOTA_PER_UNIT_DEFAULT;
}

/** What a call of ordinary length costs at a channel; infinite where that is unknown. */
function estimateCost(channel: RoutedChannel, model: string, catalogue: PriceRules): number {
  const { cost: side } = channel;
  const models = { upstream: getUpstreamModel(channel, model), requested: model };
  // What an upstream reports is only known afterwards; it is near the catalogue's price.
  const listed = side.source === "reported" ? ({ ...side, source: "catalogue" } as const) : side;
  const price = getCostPrice(listed, catalogue, models);
  return price ? getNominalCost(price) * side.factor : Number.POSITIVE_INFINITY;
}

/** A priority tier as tiers of rising cost; channels of equal cost share one. */
function splitTier(tier: readonly RoutedChannel[], getCost: (channel: RoutedChannel) => number) {
  const byCost = Map.groupBy(tier, getCost);
  return [...byCost].toSorted(([one], [other]) => one - other).map(([, channels]) => channels);
}

type Ordered = { readonly catalogue: PriceRules; readonly tiers: Tiers };
/** By the routing table's tiers, which stay the same until it changes. */
const orderedByTiers = new WeakMap<Tiers, Ordered>();

/**
 * The tiers of a group's model with the cheapest channels of each priority first, if the option enables it for the group. Computed once
 * for a routing table and its prices; a call costs one lookup.
 */
export function orderByCost(
  tiers: Tiers,
  { group, model }: { readonly group: string; readonly model: string },
  options: OptionsInForce,
): Tiers {
  if (!isCheapestFirst(options, group)) return tiers;
  const catalogue = options.catalogue()?.rules ?? NO_RULES;
  const known = orderedByTiers.get(tiers);
  if (known?.catalogue === catalogue) return known.tiers;
  const getCost = (channel: RoutedChannel): number => estimateCost(channel, model, catalogue);
  const ordered = tiers.flatMap((tier) => splitTier(tier, getCost));
  orderedByTiers.set(tiers, { catalogue, tiers: ordered });
  return ordered;
}
