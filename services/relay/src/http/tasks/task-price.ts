import { DEFAULT_MODEL_PRICE } from "@turnpike/contract/pricing/default-prices";
import { findModelPrice, type ModelPrice, type PriceTables } from "@turnpike/contract/pricing/price-book";

/** The price of a task that no price table names. */
const UNNAMED_DOLLARS = 0.1;

export type TaskPrice = Pick<ModelPrice, "modelPrice"> & { readonly price: ModelPrice; readonly rule: string };

/**
 * The price of a task, always per unit: the operator's, else the fallback price per call, else the built-in one, else
 * $0.1. A ratio does not apply, since tasks have no tokens.
 */
export function getTaskPrice(tables: PriceTables, model: string): TaskPrice {
  const found = findModelPrice(tables, model, model, false);
  if (found?.mode === "call") return { price: found, rule: found.rule, modelPrice: found.modelPrice };
  const modelPrice = Object.hasOwn(DEFAULT_MODEL_PRICE, model) ? (DEFAULT_MODEL_PRICE[model] ?? 0) : UNNAMED_DOLLARS;
  const price = findModelPrice({ ...tables, modelPrice: { [model]: modelPrice } }, model, model, false);
  if (!price) throw new Error(`no price for ${model}`);
  return { price, rule: "default", modelPrice };
}
