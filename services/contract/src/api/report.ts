import { z } from "zod/mini";
import { queryNumber } from "./common.ts";

/** Longest range of the overview, in seconds. */
export const OVERVIEW_RANGE_SECONDS_MAX = 31 * 86_400;

/** What is known of the upstream costs of some calls, in quota units: of `known_count` calls, charged `known_quota` less refunds. */
const knownCost = { known_count: z.int(), known_quota: z.int(), cost: z.int() };

/** One user's usage. */
export const TopUser = z.object({
  user_id: z.int(),
  username: z.string(),
  count: z.int(),
  quota: z.int(),
  token_used: z.int(),
  ...knownCost,
});
export type TopUser = z.infer<typeof TopUser>;

/** One channel's calls; `error_count` counts the failed attempts that were logged. */
export const TopChannel = z.object({
  channel_id: z.int(),
  channel_name: z.string(),
  count: z.int(),
  quota: z.int(),
  token_used: z.int(),
  error_count: z.int(),
  average_ms: z.int(),
  ...knownCost,
});
export type TopChannel = z.infer<typeof TopChannel>;

/** The site's latency in one hour; the maps count calls by the bucket of `latency-scale.ts`. */
export const HourHealth = z.object({
  hour: z.int(),
  count: z.int(),
  error_count: z.int(),
  total_steps: z.record(z.string(), z.int()),
  first_token_steps: z.record(z.string(), z.int()),
});
export type HourHealth = z.infer<typeof HourHealth>;

/**
 * Data of `GET /api/data/overview` (administrators): the lists cover whole UTC days from `first_day` on, highest quota
 * first.
 */
export const Overview = z.object({
  first_day: z.int(),
  users: z.array(TopUser),
  channels: z.array(TopChannel),
  hours: z.array(HourHealth),
  /** Whether failed attempts are logged; without them there is no error rate. */
  errors_logged: z.boolean(),
});
export type Overview = z.infer<typeof Overview>;

export const OverviewQuery = z.object({ start_timestamp: queryNumber, end_timestamp: queryNumber });
