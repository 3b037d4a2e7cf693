import { z } from "zod/mini";

const amount = z._default(z.coerce.number().check(z.nonnegative()), 0);

/** Body of `POST /api/option/validate_fallback_pricing`; omitted or empty amounts are 0. */
export const FallbackPricingBody = z.object({
  /** Option values are text, so these fields may be text too. */
  enabled: z._default(
    z.union([
      z.boolean(),
      z.pipe(
        z.enum(["true", "false"]),
        z.transform((text) => text === "true"),
      ),
    ]),
    false,
  ),
  single_price: amount,
  input_ratio: amount,
  completion_ratio: amount,
});
export type FallbackPricingBody = z.input<typeof FallbackPricingBody>;

/** Whether fallback prices may be stored: either a single price or a pair of ratios; anything while disabled. */
export function isFallbackPricingValid(form: z.output<typeof FallbackPricingBody>): boolean {
  if (!form.enabled) return true;
  if (form.single_price > 0) return form.input_ratio === 0 && form.completion_ratio === 0;
  return form.input_ratio > 0 && form.completion_ratio > 0;
}
