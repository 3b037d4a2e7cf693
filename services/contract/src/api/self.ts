import { z } from "zod";
import { wholeNumber } from "./common.ts";

/** Body of `PUT /api/user/self`: omitted fields stay unchanged, and so does an empty password. */
export const SelfUpdateBody = z.object({
  username: z.string().trim().optional(),
  display_name: z.string().trim().optional(),
  /** Needed for a new password. */
  original_password: z.string().optional(),
  password: z.string().optional(),
});
export type SelfUpdateBody = z.infer<typeof SelfUpdateBody>;

/** Body of `PUT /api/user/setting`: the whole setting object. An empty secret keeps the old one; auth validates it. */
export const UserSettingBody = z.object({
  /** email or webhook. */
  notify_type: z.string().optional(),
  quota_warning_threshold: wholeNumber.optional(),
  webhook_url: z.string().trim().optional(),
  webhook_secret: z.string().optional(),
  notification_email: z.string().trim().optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
  show_ip_in_logs: z.boolean().optional(),
});
export type UserSettingBody = z.infer<typeof UserSettingBody>;

/** Body of `DELETE /api/user/self`, which may be missing: the typed confirmation must be the user's own name. */
export const SelfDeleteBody = z.object({ username: z.string().optional() });
export type SelfDeleteBody = z.infer<typeof SelfDeleteBody>;
