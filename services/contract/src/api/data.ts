import { z } from "zod/mini";
import { queryFlag, queryNumber, queryText } from "./common.ts";

/** Longest range of the dashboard call for a user's own data, in seconds. */
export const DATA_RANGE_SECONDS_MAX = 2_592_000;

/** One hour of one model, or a quarter of it on request; `created_at` is its start. User fields are 0 and "" in sums over all users. */
export const UsageHour = z.object({
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  created_at: z.int(),
  token_used: z.int(),
  count: z.int(),
  quota: z.int(),
});
export type UsageHour = z.infer<typeof UsageHour>;

/** Data of `GET /api/data/self`. */
export const UsageHourList = z.array(UsageHour);

/**
 * The same for administrators, with what is known of upstream costs, in quota units: of `known_count` calls, which were charged
 * `known_quota` less refunds.
 */
export const AdminUsageHour = z.extend(UsageHour, { known_count: z.int(), known_quota: z.int(), cost: z.int() });
export type AdminUsageHour = z.infer<typeof AdminUsageHour>;

/** Data of `GET /api/data/`. */
export const AdminUsageHourList = z.array(AdminUsageHour);

/** Query of both calls; `username` is for administrators. */
export const UsageQuery = z.object({
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
  username: queryText,
  default_time: queryText,
  /** Splits hours into quarters, for time zones whose days do not begin at a full hour of UTC. */
  quarter_hours: queryFlag,
});
