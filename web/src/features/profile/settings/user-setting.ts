import { StoredUserSetting, type UserSettingBody } from "@turnpike/contract/api/self";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/dollars";
import { parseJson } from "../../../lib/api/parse-json.ts";

/** The user's settings, complete; the webhook's secret is never returned, only whether there is one. */
export type UserSetting = {
  readonly notifyType: "email" | "webhook";
  /** Quota units. */
  readonly warningThreshold: number;
  readonly webhookUrl: string;
  readonly hasWebhookSecret: boolean;
  readonly notificationEmail: string;
  readonly acceptUnsetModelRatio: boolean;
  readonly showIpInLogs: boolean;
};

const THRESHOLD_DEFAULT = QUOTA_PER_UNIT_DEFAULT;

/** The settings in a profile's JSON text; missing and unreadable values have their default. */
export function readSetting(json: string): UserSetting {
  const stored: StoredUserSetting = parseJson(StoredUserSetting, json) ?? {};
  return {
    notifyType: stored.notify_type === "webhook" ? "webhook" : "email",
    warningThreshold: stored.quota_warning_threshold ?? THRESHOLD_DEFAULT,
    webhookUrl: stored.webhook_url ?? "",
    hasWebhookSecret: stored.webhook_secret_set === true,
    notificationEmail: stored.notification_email ?? "",
    acceptUnsetModelRatio: stored.accept_unset_model_ratio_model === true,
    showIpInLogs: stored.show_ip_in_logs === true,
  };
}

/** The whole object, as every save sends it; without a secret the stored one stays. */
export const settingBody = (setting: UserSetting, webhookSecret = ""): UserSettingBody => ({
  notify_type: setting.notifyType,
  quota_warning_threshold: setting.warningThreshold,
  webhook_url: setting.webhookUrl.trim(),
  ...(webhookSecret === "" ? {} : { webhook_secret: webhookSecret }),
  notification_email: setting.notificationEmail.trim(),
  accept_unset_model_ratio_model: setting.acceptUnsetModelRatio,
  show_ip_in_logs: setting.showIpInLogs,
});
