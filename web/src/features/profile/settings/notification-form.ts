import { z } from "zod/mini";
import { text } from "../../../lib/text/i18n-source.ts";
import type { UserSetting } from "./user-setting.ts";

export const isHttps = (address: string): boolean => /^https:\/\/\S+$/.test(address.trim());

const NEGATIVE = text("不能为负数");

/** When and where the user is notified; an empty secret stays unchanged. */
export const NotificationForm = z
  .object({
    warningThreshold: z.number(NEGATIVE).check(z.gte(0, NEGATIVE)),
    notifyType: z.enum(["email", "webhook"]),
    webhookUrl: z.string().check(z.trim()),
    webhookSecret: z.string(),
    notificationEmail: z.string().check(z.trim()),
  })
  .check(
    z.refine(({ notifyType, webhookUrl }) => notifyType !== "webhook" || isHttps(webhookUrl), {
      path: ["webhookUrl"],
      error: text("Webhook 地址必须是 https 地址"),
    }),
  );
export type NotificationValues = z.infer<typeof NotificationForm>;

/** The stored settings in the form. */
export const toFormValues = (stored: UserSetting): NotificationValues => ({
  warningThreshold: stored.warningThreshold,
  notifyType: stored.notifyType,
  webhookUrl: stored.webhookUrl,
  webhookSecret: "",
  notificationEmail: stored.notificationEmail,
});
