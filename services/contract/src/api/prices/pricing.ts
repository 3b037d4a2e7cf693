import { z } from "zod/mini";

/** Dollars per million tokens by kind, of one tier ("" is the standard one) and of prompts above a length (0 for short ones). */
export const TierPricing = z.object({
  tier: z.string(),
  above: z.int(),
  rates: z.record(z.string(), z.number()),
});
export type TierPricing = z.infer<typeof TierPricing>;

/** What a catalogue knows about a model; lengths are tokens, `deprecated_on` is a day. */
export const ModelFactsView = z.object({
  context: z.optional(z.int()),
  max_output: z.optional(z.int()),
  input: z.optional(z.array(z.string())),
  output: z.optional(z.array(z.string())),
  tools: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
  deprecated_on: z.optional(z.string()),
});
export type ModelFactsView = z.infer<typeof ModelFactsView>;

/** The whole price of a model: by tier and prompt length, factors by region, dollars by the piece, and the model's facts. */
export const PricingDetails = z.object({
  prices: z.array(TierPricing),
  regions: z.record(z.string(), z.number()),
  pieces: z.record(z.string(), z.number()),
  facts: ModelFactsView,
});
export type PricingDetails = z.infer<typeof PricingDetails>;

/** One row of the price list. `quota_type`: 0 by tokens, 1 by call; `model_price` is dollars per call. */
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
  /** False when no price is set: calls to the model are refused unless the caller accepts an unknown price. */
  is_set: z.boolean(),
  /** What the ratios cannot express; null where they express everything. */
  details: z.nullable(PricingDetails),
});
export type ModelPricing = z.infer<typeof ModelPricing>;

const RatioTable = z.record(z.string(), z.number());

/**
 * Data of `GET /api/ratio_config`: the prices of all models in the family's tables, before the ratios of groups. `price_rules` are whole
 * prices, with bands and tiers, of the models that have them.
 */
export const RatioConfig = z.object({
  model_ratio: RatioTable,
  completion_ratio: RatioTable,
  cache_ratio: RatioTable,
  create_cache_ratio: RatioTable,
  image_ratio: RatioTable,
  audio_ratio: RatioTable,
  audio_completion_ratio: RatioTable,
  model_price: RatioTable,
  price_rules: z.record(z.string(), z.record(z.string(), z.unknown())),
});
export type RatioConfig = z.infer<typeof RatioConfig>;

/**
 * Response of `GET /api/pricing`: the envelope plus the ratio and the description of each group that the caller may
 * use.
 */
export const PricingResponse = z.object({
  success: z.boolean(),
  message: z.string(),
  data: z.array(ModelPricing),
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
});
export type PricingResponse = z.infer<typeof PricingResponse>;
