import { z } from "zod";
import { wholeNumber } from "./common.ts";

/** Body of `PUT /api/user/self`: what is left out stays, and so does the password when it is empty. */
export const SelfUpdateBody = z.object({
  username: z.string().trim().optional(),
  display_name: z.string().trim().optional(),
  /** Needed for a new password. */
  original_password: z.string().optional(),
  password: z.string().optional(),
});
export type SelfUpdateBody = z.infer<typeof SelfUpdateBody>;

/** Body of `PUT /api/user/setting`: the whole setting object. An empty secret keeps the old one. */
export const UserSettingBody = z.object({
  notify_type: z.enum(["email", "webhook"]).default("email"),
  quota_warning_threshold: wholeNumber.pipe(z.int().nonnegative()).default(500_000),
  webhook_url: z
    .string()
    .trim()
    .refine((value) => value === "" || (value.startsWith("https://") && URL.canParse(value)))
    .default(""),
  webhook_secret: z.string().default(""),
  notification_email: z
    .string()
    .trim()
    .refine((value) => value === "" || z.email().safeParse(value).success)
    .default(""),
  accept_unset_model_ratio_model: z.boolean().default(false),
  show_ip_in_logs: z.boolean().default(false),
});
export type UserSettingBody = z.input<typeof UserSettingBody>;
