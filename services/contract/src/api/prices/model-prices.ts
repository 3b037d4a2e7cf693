import { MODEL_NAME_LENGTH_MAX } from "../../limits.ts";
import { z } from "zod/mini";
import { PricingDetails } from "./pricing.ts";

/** Body of `POST /api/option/model_prices`: names of models, also of ones that no channel has. */
export const ModelPricesBody = z.object({
  models: z
    .array(z.string().check(z.minLength(1), z.maxLength(MODEL_NAME_LENGTH_MAX)))
    .check(z.minLength(1), z.maxLength(5_000)),
});
export type ModelPricesBody = z.input<typeof ModelPricesBody>;

/** The price in force of a model: the operator's, the built-in one, that of the fallback options, or none. */
export const FoundPrice = z.object({
  model: z.string(),
  origin: z.enum(["operator", "built_in", "fallback", "none"]),
  /** Dollars per call, for a model that is priced so. */
  per_call: z.optional(z.number()),
  details: z.nullable(PricingDetails),
});
export type FoundPrice = z.infer<typeof FoundPrice>;
