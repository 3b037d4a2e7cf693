import { z } from "zod";
import { queryNumber, queryText } from "./common.ts";

/** Longest range of the dashboard's own-data call, in seconds. */
export const DATA_RANGE_SECONDS_MAX = 2_592_000;

/** One hour of one model; `created_at` is the start of the hour. User fields are 0 and "" in sums over all users. */
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

/** Data of `GET /api/data/` (admin) and `/api/data/self`. */
export const UsageHourList = z.array(UsageHour);

/** Query of both calls; `username` is for admins. */
export const UsageQuery = z.object({
  start_timestamp: queryNumber,
  end_timestamp: queryNumber,
  username: queryText,
  default_time: queryText,
});
