import { z } from "zod/mini";

/** Data of `GET /api/user/check_in_status`. */
export const CheckInStatus = z.object({
  /** True when today's reward is unclaimed, also while check-in is disabled. */
  can_check_in: z.boolean(),
  enabled: z.boolean(),
  checked_in_today: z.boolean(),
  /** Today in the site's check-in zone, YYYY-MM-DD. */
  day: z.string(),
  /** Today's reward; 0 before the check-in. */
  quota: z.int(),
});
export type CheckInStatus = z.infer<typeof CheckInStatus>;

/** Data of `POST /api/user/check_in`: the reward in quota units. */
export const CheckInResult = z.object({ quota: z.int() });
export type CheckInResult = z.infer<typeof CheckInResult>;
