import type { ModelPrice } from "@turnpike/contract/pricing/price-book";
import type { PricedUsage } from "@turnpike/contract/pricing/quota";
import { isSameModel } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { type IterationUsage, separateIterations, type TokenUsage } from "@turnpike/contract/pricing/usage";
import { getUpstreamModel } from "../../core/call/channel.ts";
import { getLastChannel, type RelayCall } from "../../core/call/relay-call.ts";

/** Finds a price by the upstream name of a model. */
export type FindModelPrice = (model: string) => ModelPrice | undefined;

/** The usage with the iterations that are charged by themselves: those that the totals lack, and those of another model than the call's. */
export function separateOwnIterations(call: RelayCall, usage: TokenUsage): TokenUsage {
  if (usage.iterations === undefined) return usage;
  const channel = getLastChannel(call);
  const names = [call.model, ...(channel ? [getUpstreamModel(channel, call.model)] : [])];
  return separateIterations(usage, (model) => !names.some((name) => isSameModel(name, model)));
}

/** An iteration's usage, with the tier and the region of its call. */
export function getIterationUsage(call: TokenUsage, { usage }: IterationUsage): TokenUsage {
  const { tier, region, isStandardPrice } = call;
  return {
    ...usage,
    ...(tier === undefined ? {} : { tier }),
    ...(region === undefined ? {} : { region }),
    ...(isStandardPrice === undefined ? {} : { isStandardPrice }),
  };
}

/** The price of an iteration: that of the model that it names; the call's own where it names none, or one without a price. */
export const getIterationPrice = (price: ModelPrice, { model }: IterationUsage, find?: FindModelPrice): ModelPrice =>
  (model === undefined ? undefined : find?.(model)) ?? price;

/** A call's usage and its iterations, each at its price. A price by the call covers what runs within it at the same price. */
export function priceIterations(price: ModelPrice, usage: TokenUsage, find?: FindModelPrice): readonly PricedUsage[] {
  const iterations = (usage.iterations ?? []).map((iteration): PricedUsage => ({
    price: getIterationPrice(price, iteration, find),
    usage: getIterationUsage(usage, iteration),
  }));
  return [{ price, usage }, ...iterations.filter((part) => part.price !== price || price.mode === "tokens")];
}
