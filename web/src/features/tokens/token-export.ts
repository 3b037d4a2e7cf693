import type { Token } from "@turnpike/contract/api/token";
import type { TFunction } from "i18next";
import type { ExportColumn } from "../../components/data-table/actions/read-all-rows.ts";
import { toIsoTime } from "../../lib/text/format.ts";

/** The columns of the file of tokens, without their keys. Amounts are quota units. */
export const tokenExport = (t: TFunction): readonly ExportColumn<Token>[] => [
  { label: "ID", value: ({ id }) => id },
  { label: t("名称"), value: ({ name }) => name },
  { label: t("状态"), value: ({ status }) => status },
  { label: t("分组"), value: ({ group }) => group },
  { label: t("已用额度"), value: ({ used_quota: used }) => used },
  {
    label: t("剩余额度"),
    value: ({ unlimited_quota: isUnlimited, remain_quota: remaining }) => (isUnlimited ? "" : remaining),
  },
  { label: t("可用模型"), value: ({ model_limits: models }) => models },
  { label: t("过期时间"), value: ({ expired_time: at }) => toIsoTime(at) },
  { label: t("最近使用"), value: ({ accessed_time: at }) => toIsoTime(at) },
  { label: t("创建时间"), value: ({ created_time: at }) => toIsoTime(at) },
];
