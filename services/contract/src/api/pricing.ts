import { z } from "zod";

/** One row of the price list. `quota_type`: 0 by tokens, 1 by call; `model_price` is dollars a call. */
export const ModelPricing = z.object({
  model_name: z.string(),
  quota_type: z.int(),
  model_ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  model_price: z.number(),
  /** Kept for clients that expect it; always "". */
  owner_by: z.string(),
  enable_groups: z.array(z.string()),
  /** False when no price is set: calls to the model are refused unless the caller accepts that. */
  is_set: z.boolean(),
});
export type ModelPricing = z.infer<typeof ModelPricing>;

/** Response of `GET /api/pricing`: the envelope plus the ratio and the description of each group the caller may use. */
export const PricingAnswer = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.array(ModelPricing),
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
});
export type PricingAnswer = z.infer<typeof PricingAnswer>;
