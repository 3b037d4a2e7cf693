import { type OptionsInForce, priceTablesOf, usableGroups } from "@turnpike/contract/options/options-in-force";
import {
  findModelPrice,
  groupRatioOf,
  type PriceTables,
  type ModelPrice as Price,
} from "@turnpike/contract/pricing/price-book";
import type { GroupPrice, ListPricesResponse, ModelPrice } from "@turnpike/proto/billing/v1/pricing_service";

const QUOTA_TYPE = { tokens: 0, call: 1 } as const;

const toModelPrice = (modelName: string, price: Price | undefined): ModelPrice => ({
  modelName,
  quotaType: QUOTA_TYPE[price?.mode ?? "tokens"],
  modelRatio: price?.modelRatio ?? 0,
  completionRatio: price?.completionRatio ?? 0,
  cacheRatio: price?.cacheRatio ?? 0,
  modelPrice: Math.max(0, price?.modelPrice ?? 0),
  isSet: price !== undefined,
});

const toGroupPrice = (tables: PriceTables, userGroup: string, group: string, description: string): GroupPrice => ({
  group,
  ratio: groupRatioOf(tables, group, userGroup),
  description,
});

/** The prices of these models, in order, and the groups available to a user of this group ("" is a visitor). */
export function priceList(options: OptionsInForce, models: readonly string[], userGroup: string): ListPricesResponse {
  const tables = priceTablesOf(options);
  const groups = Object.entries(usableGroups(options, userGroup));
  return {
    prices: models.map((model) => toModelPrice(model, findModelPrice(tables, model, model, false))),
    groups: groups.map(([group, description]) => toGroupPrice(tables, userGroup, group, description)),
  };
}
