import { type OptionsInForce, toPriceTables, usableGroups } from "@turnpike/contract/options/options-in-force";
import {
  findModelPrice,
  findGroupRatio,
  type PriceTables,
  type ModelPrice as Price,
} from "@turnpike/contract/pricing/price-tables";
import type { GroupPrice, ListPricesResponse, ModelPrice } from "@turnpike/proto/billing/v1/pricing_service";

import { toPriceDetails } from "./price-details.ts";

const QUOTA_TYPE = { tokens: 0, call: 1 } as const;

/** The options by which an operator prices a model, as tables. */
const ownTables = ({ modelRatio, modelPrice, rules }: PriceTables) => [modelRatio, modelPrice, rules];

/** Where a price is from: the operator's own one, the catalogue of this version, or the fallback options. */
function getOrigin(tables: PriceTables, { rule, name }: Price): string {
  if (rule === "fallback") return "fallback";
  return ownTables(tables).some((table) => Object.hasOwn(table, name)) ? "operator" : "built_in";
}

const toModelPrice = (tables: PriceTables, modelName: string, price: Price | undefined): ModelPrice => ({
  modelName,
  quotaType: QUOTA_TYPE[price?.mode ?? "tokens"],
  modelRatio: price?.modelRatio ?? 0,
  completionRatio: price?.completionRatio ?? 0,
  cacheRatio: price?.cacheRatio ?? 0,
  modelPrice: Math.max(0, price?.modelPrice ?? 0),
  isSet: price !== undefined,
  detailsJson: price === undefined ? "" : JSON.stringify(toPriceDetails(modelName, price)),
  origin: price === undefined ? "" : getOrigin(tables, price),
});

/** A group that users may choose; none where it has no ratio, since calls of it are refused. */
function toGroupPrices(tables: PriceTables, userGroup: string, group: string, description: string): GroupPrice[] {
  const ratio = findGroupRatio(tables, group, userGroup);
  return ratio === undefined ? [] : [{ group, ratio, description }];
}

/** The prices of these models, in order, and the groups available to a user of this group ("" is a visitor). */
export function priceList(options: OptionsInForce, models: readonly string[], userGroup: string): ListPricesResponse {
  const tables = toPriceTables(options);
  const groups = Object.entries(usableGroups(options, userGroup));
  return {
    prices: models.map((model) => toModelPrice(tables, model, findModelPrice(tables, model, model, false))),
    groups: groups.flatMap(([group, description]) => toGroupPrices(tables, userGroup, group, description)),
  };
}
