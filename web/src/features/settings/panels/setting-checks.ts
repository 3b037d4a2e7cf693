import { text } from "../../../lib/i18n-source.ts";
import type { SettingProblem } from "../section/check-setting.ts";
import type { ValueOf } from "../section/setting-panel.ts";

/** An address without the version path that callers tend to paste with it. */
export const hostOnly = (value: string): SettingProblem | undefined =>
  value.endsWith("/v1") ? { message: text("只填写域名，结尾不要带 /v1 或 /") } : undefined;

/** A payment address is of use only when the site knows where its own callbacks arrive. */
export const payAddress = (value: string, valueOf: ValueOf): SettingProblem | undefined =>
  hostOnly(value) ??
  (value !== "" && valueOf("ServerAddress").trim() === "" ? { message: text("请先填写服务器地址") } : undefined);

/** A switch that sends mail is of use only when the site can. */
export const isMailRequired = (value: string, valueOf: ValueOf): SettingProblem | undefined =>
  value === "true" && valueOf("SMTPServer").trim() === ""
    ? { message: text("请先在 SMTP 一节填写并保存服务器") }
    : undefined;
