import { findModelPrice, type ModelPrice, type PriceTables } from "./price-tables.ts";

/** The price of a task that no price table names. */
const UNNAMED_DOLLARS = 0.1;

const NO_FALLBACK: PriceTables["fallback"] = { enabled: false, singlePrice: 0, inputRatio: 0, completionRatio: 0 };

/** True for the model names of image and music tasks, which always have a price. */
export const isTaskModel = (model: string): boolean => /^(mj|suno)_|^swap_face$/.test(model);

export type TaskPrice = Pick<ModelPrice, "modelPrice"> & { readonly price: ModelPrice; readonly rule: string };

/**
 * The price of a task, always per unit: the operator's, else the fallback price per call, else the built-in one, else
 * $0.1. A ratio does not apply, since tasks have no tokens.
 */
export function getTaskPrice(tables: PriceTables, model: string): TaskPrice {
  const found = findModelPrice(tables, model, model, false);
  if (found?.mode === "call") return { price: found, rule: found.rule, modelPrice: found.modelPrice };
  const builtIn = findModelPrice({ ...tables, modelRatio: {}, fallback: NO_FALLBACK }, model, model, false);
  const modelPrice = builtIn?.mode === "call" ? builtIn.modelPrice : UNNAMED_DOLLARS;
  const price = findModelPrice({ ...tables, modelPrice: { [model]: modelPrice } }, model, model, false);
  if (!price) throw new Error(`no price for ${model}`);
  return { price, rule: "default", modelPrice };
}
