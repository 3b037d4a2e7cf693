import { z } from "zod/mini";

/** Body of `POST /api/option/catalogue`: a source, its address if not the public one, or the text of a file. */
export const CatalogueBody = z.object({
  source: z.enum(["litellm", "models_dev", "ratio_config", "pricing", "file"]),
  url: z._default(z.string().check(z.maxLength(2_000)), ""),
  content: z._default(z.string(), ""),
});
export type CatalogueBody = z.input<typeof CatalogueBody>;

const Rule = z.nullable(z.record(z.string(), z.unknown()));

/**
 * A model whose price is new, changed or missing in a catalogue. `factor` is how many times the higher price is the lower one, 0 where
 * one of them is missing; calls and quota are those of the last 30 days.
 */
export const CatalogueDifference = z.object({
  model: z.string(),
  before: Rule,
  after: Rule,
  factor: z.number(),
  needs_confirmation: z.boolean(),
  is_overridden: z.boolean(),
  calls: z.int(),
  channel_ids: z.array(z.int()),
  quota: z.int(),
  new_quota: z.int(),
});
export type CatalogueDifference = z.infer<typeof CatalogueDifference>;

/** Data of `POST /api/option/catalogue`. What is taken over is stored as entries of `CatalogueRules`, with `date` as `CatalogueDate`. */
export const CatalogueComparison = z.object({
  revision: z.int(),
  date: z.string(),
  models: z.int(),
  differences: z.array(CatalogueDifference),
  quota: z.int(),
  new_quota: z.int(),
  is_partial: z.boolean(),
});
export type CatalogueComparison = z.infer<typeof CatalogueComparison>;

/**
 * Data of `GET /api/option/catalogue`: the last scheduled comparison, `checked_at` 0 before the first one and while the schedule is off.
 * Counts are prices that the catalogue proposes: new ones, changed ones, how many of these change beyond the limit; and those applied.
 */
export const CatalogueProposal = z.object({
  checked_at: z.int(),
  source: z.string(),
  url: z.string(),
  problem: z.string(),
  added: z.int(),
  changed: z.int(),
  large: z.int(),
  applied: z.int(),
});
export type CatalogueProposal = z.infer<typeof CatalogueProposal>;
