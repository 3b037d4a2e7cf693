import { AppError } from "@turnpike/shared/errors/app-error";
import { z } from "zod";

const integer = z.preprocess(
  (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
  z.int().min(0),
);

/** A user's settings as stored; unset fields are absent. */
const UserSetting = z.object({
  notify_type: z.enum(["email", "webhook"]).optional(),
  quota_warning_threshold: integer.optional(),
  webhook_url: z.string().trim().max(2_000).optional(),
  notification_email: z.string().trim().max(254).optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
  show_ip_in_logs: z.boolean().optional(),
});
export type UserSetting = z.infer<typeof UserSetting>;

const SentBody = UserSetting.extend({ webhook_secret: z.string().max(200).optional() });

const isHttpsUrl = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === "https:";

/** A validated setting as stored, with what is handled separately: the webhook's address and a new secret. */
export type SentSetting = {
  readonly settingJson: string;
  readonly webhookUrl: string;
  readonly webhookSecret: string | undefined;
};

function parseSent(json: string): z.infer<typeof SentBody> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new AppError("user_setting_invalid", "the setting is not JSON", {
      params: { field: "setting" },
      cause: error,
    });
  }
  const result = SentBody.safeParse(value);
  if (result.success) return result.data;
  const field = result.error.issues[0]?.path.join(".") || "setting";
  throw new AppError("user_setting_invalid", `the setting's ${field} is not valid`, { params: { field } });
}

/**
 * Parses the setting object a user sent: the plain part to store, and a new webhook secret separately. Throws
 * user_setting_invalid, webhook_url_required, webhook_url_not_https or notification_email_invalid.
 */
export function parseSentSetting(json: string): SentSetting {
  const { webhook_secret: secret, ...setting } = parseSent(json);
  if (setting.notify_type === "webhook" && !setting.webhook_url)
    throw new AppError("webhook_url_required", "notices by webhook need an address");
  if (setting.webhook_url && !isHttpsUrl(setting.webhook_url))
    throw new AppError("webhook_url_not_https", "the webhook's address is not an https URL");
  if (setting.notification_email && !/^[^\s@]+@[^\s@]+$/.test(setting.notification_email))
    throw new AppError("notification_email_invalid", "the e-mail address for notices is not valid");
  return {
    settingJson: JSON.stringify(setting),
    webhookUrl: setting.webhook_url ?? "",
    webhookSecret: secret === "" ? undefined : secret,
  };
}

/** The stored setting; one that this version cannot parse counts as empty. */
export function readSetting(json: string): UserSetting {
  try {
    const result = UserSetting.safeParse(JSON.parse(json));
    return result.success ? result.data : {};
  } catch {
    return {};
  }
}

/** The stored setting as shown to its owner and admins: whether there is a webhook secret, never its value. */
export const shownSetting = (json: string, hasWebhookSecret: boolean): string =>
  JSON.stringify({ ...readSetting(json), webhook_secret_set: hasWebhookSecret });
