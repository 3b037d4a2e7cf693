import { z } from "zod/mini";
import { PriceOptionChange } from "./price-revisions.ts";

const Place = z.object({ created_at: z.int(), id: z.int() });

/**
 * Body of `POST /api/option/rehearsal` (administrators): proposed changes of prices, the span of time (both ends inclusive, at most
 * 366 days), and for a later step `next` of the step before. Refused with prices_changed when `revision` is no longer in force.
 */
export const RehearsalBody = z.object({
  changes: z.array(PriceOptionChange).check(z.maxLength(100)),
  revision: z.optional(z.int()),
  start_timestamp: z.int().check(z.gte(0)),
  end_timestamp: z.int().check(z.gte(0)),
  after: z.optional(Place),
});
export type RehearsalBody = z.input<typeof RehearsalBody>;

/** Quota of calls: as charged, at the prices in force, and at the proposed prices. */
const sum = {
  calls: z.int(),
  quota: z.int(),
  current_quota: z.int(),
  proposed_quota: z.int(),
  /** Of the calls whose cost is known: their number, cost and quota. A margin is the quota minus the cost. */
  costed_calls: z.int(),
  cost: z.int(),
  costed_current_quota: z.int(),
  costed_proposed_quota: z.int(),
};

export const RehearsedModel = z.object({ model: z.string(), group: z.string(), ...sum });
export type RehearsedModel = z.infer<typeof RehearsedModel>;
export const RehearsedUser = z.object({ user_id: z.int(), username: z.string(), ...sum });
export type RehearsedUser = z.infer<typeof RehearsedUser>;

/**
 * Calls that cannot be calculated and are in no other sum: the row does not hold its usage (no_figures) or the kind of its images
 * (no_image_kind), or the proposed prices have none for the model (no_price).
 */
export const SkippedCalls = z.object({ model: z.string(), reason: z.string(), calls: z.int(), quota: z.int() });
export type SkippedCalls = z.infer<typeof SkippedCalls>;

/** Data of `POST /api/option/rehearsal`: the sums of one step over the log, newest rows first; steps are added up. */
export const RehearsalStep = z.object({
  revision: z.int(),
  rows: z.int(),
  models: z.array(RehearsedModel),
  users: z.array(RehearsedUser),
  skipped: z.array(SkippedCalls),
  next: z.nullable(Place),
});
export type RehearsalStep = z.infer<typeof RehearsalStep>;
