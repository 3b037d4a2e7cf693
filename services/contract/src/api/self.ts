import { z } from "zod/mini";
import { integer } from "./common.ts";

/** Body of `PUT /api/user/self`: omitted fields stay unchanged, and so does an empty password. */
export const SelfUpdateBody = z.object({
  username: z.optional(z.string().check(z.trim())),
  display_name: z.optional(z.string().check(z.trim())),
  /** Required with a new password. */
  original_password: z.optional(z.string()),
  password: z.optional(z.string()),
});
export type SelfUpdateBody = z.infer<typeof SelfUpdateBody>;

/** Body of `PUT /api/user/setting`: the whole setting object. An empty secret keeps the old one; auth validates it. */
export const UserSettingBody = z.object({
  /** email or webhook. */
  notify_type: z.optional(z.string()),
  quota_warning_threshold: z.optional(integer),
  webhook_url: z.optional(z.string().check(z.trim())),
  webhook_secret: z.optional(z.string()),
  notification_email: z.optional(z.string().check(z.trim())),
  accept_unset_model_ratio_model: z.optional(z.boolean()),
  show_ip_in_logs: z.optional(z.boolean()),
});
export type UserSettingBody = z.infer<typeof UserSettingBody>;

/** A profile's `setting`: the stored settings, without the secret. */
export const StoredUserSetting = z.extend(z.omit(UserSettingBody, { webhook_secret: true }), {
  webhook_secret_set: z.optional(z.boolean()),
});
export type StoredUserSetting = z.infer<typeof StoredUserSetting>;

/** Body of `DELETE /api/user/self`, which may be missing; a typed confirmation must be the user's own name. */
export const SelfDeleteBody = z.object({ username: z.optional(z.string()) });
export type SelfDeleteBody = z.infer<typeof SelfDeleteBody>;
