import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";

const wholeNumber = z.preprocess(
  (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
  z.int().min(0),
);

/** A user's own settings as stored; fields they never set are absent. */
const UserSetting = z.object({
  notify_type: z.enum(["email", "webhook"]).optional(),
  quota_warning_threshold: wholeNumber.optional(),
  webhook_url: z.string().trim().max(2_000).optional(),
  notification_email: z.string().trim().max(254).optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
  show_ip_in_logs: z.boolean().optional(),
});
export type UserSetting = z.infer<typeof UserSetting>;

const SentSetting = UserSetting.extend({ webhook_secret: z.string().max(200).optional() });

const isHttpsUrl = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === "https:";

function parseSent(json: string): z.infer<typeof SentSetting> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AppError("user_setting_invalid", "the setting is not JSON", {
      params: { field: "setting" },
      cause: error,
    });
  }
  const result = SentSetting.safeParse(value);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join(".") || "setting";
  throw new AppError("user_setting_invalid", `the setting's ${field} is not valid`, { params: { field } });
}

/**
 * Reads the setting object a user sent: what is stored in the open, and the webhook secret apart when a new one came. Throws
 * user_setting_invalid, webhook_url_not_https or notification_email_invalid.
 */
export function parseSentSetting(json: string): { settingJson: string; webhookSecret: string | undefined } {
  const { webhook_secret: secret, ...setting } = parseSent(json);
  if (setting.webhook_url && !isHttpsUrl(setting.webhook_url))
    throw new AppError("webhook_url_not_https", "the webhook's address is not an https URL");
  if (setting.notification_email && !/^[^\s@]+@[^\s@]+$/.test(setting.notification_email))
    throw new AppError("notification_email_invalid", "the e-mail address for notices is not valid");
  return { settingJson: JSON.stringify(setting), webhookSecret: secret === "" ? undefined : secret };
}

/** The stored setting; one that this version cannot read counts as empty. */
export function readSetting(json: string): UserSetting {
  try {
    const result = UserSetting.safeParse(JSON.parse(json));
    return result.success ? result.data : {};
  } catch {
    return {};
  }
}
