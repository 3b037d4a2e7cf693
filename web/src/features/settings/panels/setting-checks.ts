import { text } from "../../../lib/text/i18n-source.ts";
import type { SettingProblem } from "../section/check-setting.ts";
import type { ValueOf } from "../section/setting-panel.ts";

/** An address without the version path that users tend to paste with it. */
export const hostOnly = (value: string): SettingProblem | undefined =>
  value.endsWith("/v1") ? { message: text("只填写域名，结尾不要带 /v1 或 /") } : undefined;

/** A payment address needs the site's own address, where its callbacks arrive. */
export const payAddress = (value: string, getValue: ValueOf): SettingProblem | undefined =>
  hostOnly(value) ??
  (value !== "" && getValue("ServerAddress").trim() === "" ? { message: text("请先填写服务器地址") } : undefined);

/** A switch that sends mail requires a mail server. */
export const isMailRequired = (value: string, getValue: ValueOf): SettingProblem | undefined =>
  value === "true" && getValue("SMTPServer").trim() === ""
    ? { message: text("请先在 SMTP 一节填写并保存服务器") }
    : undefined;
