import { type ChannelCost, pickPrices, readChannelCost } from "@turnpike/contract/pricing/channel-cost";
import { catalogueNames } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import type { PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import { timesRatio } from "@turnpike/contract/pricing/decimal";
import type { ChannelDoc } from "../channels/channel-model.ts";

/** A fetched list: prices, and the ratios of the reseller's groups (none where its form has no groups). */
export type ResellerPrices = { readonly prices: PriceRules; readonly groups: Readonly<Record<string, number>> };

type Served = Pick<ChannelDoc, "models" | "modelMapping">;

function readMapping(text: string): Readonly<Record<string, unknown>> {
  if (text === "") return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The names by which the channel's models are looked up, as upstream and as callers name them. */
function getLookupNames({ models, modelMapping }: Served): readonly (readonly string[])[] {
  const mapping = readMapping(modelMapping);
  return models.map((model) => {
    const upstream = Object.hasOwn(mapping, model) ? mapping[model] : model;
    return [...(typeof upstream === "string" ? catalogueNames(upstream) : []), ...catalogueNames(model)];
  });
}

/** How many of the channel's models the list prices. */
export const countPriced = (channel: Served, { prices }: ResellerPrices): number =>
  getLookupNames(channel).filter((names) => names.some((name) => Object.hasOwn(prices, name))).length;

/** The cost side of a channel if the reseller's list is its source. */
export function getResellerSide({ cost }: Pick<ChannelDoc, "cost">): ChannelCost | undefined {
  const side = cost === undefined ? undefined : readChannelCost(cost);
  return side?.source === "reseller" ? side : undefined;
}

/** The ratio of the account's group; undefined if the reseller has groups and not this one. */
export function getGroupRatio({ groups }: ResellerPrices, group = "default"): number | undefined {
  if (Object.keys(groups).length === 0) return 1;
  return Object.hasOwn(groups, group) ? groups[group] : undefined;
}

/**
 * The cost side as relays read it: with the list's prices of the channel's models, times the ratio of the account's group. Without a
 * list, or with a group that the reseller does not have, it has no prices: the cost is then unknown.
 */
export function resolveCost(channel: Served, side: ChannelCost, list: ResellerPrices | undefined): string {
  const ratio = list && getGroupRatio(list, side.group);
  if (!list || ratio === undefined) return JSON.stringify({ source: "reseller", prices: {} } satisfies ChannelCost);
  const needed = new Set(getLookupNames(channel).flat());
  const prices = pickPrices(list.prices, (model) => needed.has(model));
  return JSON.stringify({
    source: "reseller",
    factor: timesRatio(side.factor ?? 1, ratio),
    prices,
  } satisfies ChannelCost);
}
