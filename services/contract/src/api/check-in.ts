import { z } from "zod";

/** Data of `GET /api/user/check_in_status`. */
export const CheckInStatus = z.object({
  /** Nothing was taken today; also true while check-in is switched off. */
  can_check_in: z.boolean(),
  enabled: z.boolean(),
  checked_in_today: z.boolean(),
  /** Today in the site's check-in zone, YYYY-MM-DD. */
  day: z.string(),
  /** What today's check-in was worth; 0 before it. */
  quota: z.int(),
});
export type CheckInStatus = z.infer<typeof CheckInStatus>;

/** Data of `POST /api/user/check_in`: the reward in quota units. */
export const CheckInResult = z.object({ quota: z.int() });
export type CheckInResult = z.infer<typeof CheckInResult>;
