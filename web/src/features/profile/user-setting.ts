import type { UserSettingBody } from "@turnpike/contract/api/self";
import { QUOTA_PER_UNIT_DEFAULT } from "@turnpike/contract/pricing/price-unit";
import { isFlag, isNumber, isObjectOf, isOptional, isText } from "../../lib/check.ts";
import { parseJson } from "../../lib/parse-json.ts";

/** The user's own settings with nothing left out; the webhook's secret never comes back, only whether there is one. */
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

type Stored = Omit<UserSettingBody, "webhook_secret"> & { readonly webhook_secret_set?: boolean | undefined };
const isStored = isObjectOf<Stored>({
  notify_type: isOptional(isText),
  quota_warning_threshold: isOptional(isNumber),
  webhook_url: isOptional(isText),
  notification_email: isOptional(isText),
  accept_unset_model_ratio_model: isOptional(isFlag),
  show_ip_in_logs: isOptional(isFlag),
  webhook_secret_set: isOptional(isFlag),
});

const THRESHOLD_DEFAULT = QUOTA_PER_UNIT_DEFAULT;

/** The settings in a profile's JSON text; what is missing or unreadable has its default. */
export function readSetting(json: string): UserSetting {
  const stored: Stored = parseJson(isStored, json) ?? {};
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

/** The whole object, as every save sends it; without a secret the old one stays. */
export const settingBody = (setting: UserSetting, webhookSecret = ""): UserSettingBody => ({
  notify_type: setting.notifyType,
  quota_warning_threshold: setting.warningThreshold,
  webhook_url: setting.webhookUrl.trim(),
  ...(webhookSecret === "" ? {} : { webhook_secret: webhookSecret }),
  notification_email: setting.notificationEmail.trim(),
  accept_unset_model_ratio_model: setting.acceptUnsetModelRatio,
  show_ip_in_logs: setting.showIpInLogs,
});
