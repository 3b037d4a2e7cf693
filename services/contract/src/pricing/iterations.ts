import type { ModelPrice } from "./price-tables.ts";
import type { PricedUsage } from "./quota.ts";
import type { IterationUsage, TokenUsage } from "./usage.ts";

/** Finds a price by the upstream name of a model. */
export type FindModelPrice = (model: string) => ModelPrice | undefined;

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
