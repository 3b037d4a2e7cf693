import { z } from "zod";

const amount = z.coerce.number().nonnegative().default(0);

/** Body of `POST /api/option/validate_fallback_pricing`; omitted or empty amounts are 0. */
export const FallbackPricingBody = z.object({
  /** Options are texts, and so may this be. */
  enabled: z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]).default(false),
  single_price: amount,
  input_ratio: amount,
  completion_ratio: amount,
});
export type FallbackPricingBody = z.input<typeof FallbackPricingBody>;

/** Whether fallback prices may be stored: a single price alone, or a pair of ratios; anything while disabled. */
export function isFallbackPricingValid(form: z.output<typeof FallbackPricingBody>): boolean {
  if (!form.enabled) return true;
  if (form.single_price > 0) return form.input_ratio === 0 && form.completion_ratio === 0;
  return form.input_ratio > 0 && form.completion_ratio > 0;
}
