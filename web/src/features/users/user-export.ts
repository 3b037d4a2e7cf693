import type { UserProfile } from "@turnpike/contract/api/user";
import type { TFunction } from "i18next";
import type { ExportColumn } from "../../components/data-table/actions/read-all-rows.ts";
import { toIsoTime } from "../../lib/text/format.ts";

/** The columns of the file of users. Amounts are quota units, times ISO 8601. */
export const userExport = (t: TFunction): readonly ExportColumn<UserProfile>[] => [
  { label: "ID", value: ({ id }) => id },
  { label: t("用户名"), value: ({ username }) => username },
  { label: t("显示名称"), value: ({ display_name: name }) => name },
  { label: t("邮箱"), value: ({ email }) => email },
  { label: t("分组"), value: ({ group }) => group },
  { label: t("身份"), value: ({ role }) => role },
  { label: t("状态"), value: ({ status }) => status },
  { label: t("余额"), value: ({ quota }) => quota },
  { label: t("已用额度"), value: ({ used_quota: used }) => used },
  { label: t("请求次数"), value: ({ request_count: count }) => count },
  { label: t("创建时间"), value: ({ created_at: at }) => toIsoTime(at) },
  { label: t("最近调用"), value: ({ last_call_at: at }) => toIsoTime(at ?? 0) },
];
