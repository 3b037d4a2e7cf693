import { findRule, findRuleName } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { mergeRule } from "@turnpike/contract/pricing/rules/merged-rules";
import type { PriceRule, PriceRules } from "@turnpike/contract/pricing/rules/price-rule";
import type { StatedPrice } from "@turnpike/shared/catalogue/catalogue-json";
import { isSamePrice } from "../prices/price-factor.ts";

function complete(inForce: PriceRule | undefined, { rule, isWhole, unstated = [] }: StatedPrice): PriceRule {
  if (!inForce) return rule;
  if (!isWhole) return mergeRule(inForce, rule);
  const kept = unstated.filter((field) => rule[field] === undefined && inForce[field] !== undefined);
  return kept.length === 0 ? rule : { ...rule, ...Object.fromEntries(kept.map((field) => [field, inForce[field]])) };
}

/** The prices of a source; parts that it cannot express are those of the prices in force. */
export function completeStatedPrices(inForce: PriceRules, stated: readonly StatedPrice[]): PriceRules {
  return Object.fromEntries(stated.map((price) => [price.model, complete(findRule(inForce, price.model), price)]));
}

/** A model whose price a source changes: `before` is what its calls cost now, `after` is missing where the source dropped it. */
export type PriceDifference = { readonly model: string; readonly before?: PriceRule; readonly after?: PriceRule };

/**
 * The models whose calls would cost something else, by name. A model that only one list names costs what the other one lists for the
 * name without a date or a vendor.
 */
export function findPriceDifferences(inForce: PriceRules, fetched: PriceRules): readonly PriceDifference[] {
  const names = [...new Set([...Object.keys(inForce), ...Object.keys(fetched)])].toSorted();
  return names.flatMap((model): readonly PriceDifference[] => {
    const [before, next] = [findRule(inForce, model), findRule(fetched, model)];
    if (before && next && isSamePrice(before, next)) return [];
    const after = findRuleName(fetched, model) === model ? next : undefined;
    return [{ model, ...(before ? { before } : {}), ...(after ? { after } : {}) }];
  });
}
