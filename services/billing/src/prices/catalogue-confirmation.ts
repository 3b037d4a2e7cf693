import { getPriceValue, type PriceValues } from "@turnpike/contract/options/price-changes";
import { findRule } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { AppError } from "@turnpike/shared/errors/app-error";
import { getBuiltInRules } from "./built-in-prices.ts";
import { getPriceFactor } from "./price-factor.ts";

/** Models that an error names at most. */
const NAMED_MAX = 10;

/** Throws catalogue_unconfirmed where the catalogue's prices change by more than CatalogueConfirmFactor times, or end. */
export function requireConfirmation(before: PriceValues, after: PriceValues): void {
  if (before.CatalogueRules === after.CatalogueRules && before.CatalogueDate === after.CatalogueDate) return;
  const [old, next] = [getBuiltInRules(before), getBuiltInRules(after)];
  const factor = Number(getPriceValue(before, "CatalogueConfirmFactor"));
  const isLarge = (name: string): boolean => {
    const changed = Object.hasOwn(next, name) ? next[name] : undefined;
    if (Object.hasOwn(old, name) && old[name] === changed) return false;
    const former = findRule(old, name);
    return former !== undefined && (changed === undefined || getPriceFactor(former, changed) > factor);
  };
  const models = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(isLarge);
  if (models.length === 0) return;
  const named = models.slice(0, NAMED_MAX).join(", ");
  throw new AppError("catalogue_unconfirmed", "prices of the catalogue change beyond the limit", {
    params: { factor: String(factor), models: models.length > NAMED_MAX ? `${named} …` : named },
  });
}
