import type { Channel } from "@turnpike/contract/api/channels/channel";
import { getChannelType } from "@turnpike/contract/api/channels/channel-types";
import type { TFunction } from "i18next";
import type { ExportColumn } from "../../components/data-table/actions/read-all-rows.ts";
import { toIsoTime } from "../../lib/text/format.ts";

/** The columns of the file of channels, without their keys. Amounts are quota units. */
export const channelExport = (t: TFunction): readonly ExportColumn<Channel>[] => [
  { label: "ID", value: ({ id }) => id },
  { label: t("名称"), value: ({ name }) => name },
  { label: t("类型"), value: ({ type }) => t(getChannelType(type)?.name ?? String(type)) },
  { label: t("状态"), value: ({ status }) => status },
  { label: t("标签"), value: ({ tag }) => tag },
  { label: t("地址"), value: ({ base_url: address }) => address },
  { label: t("模型列表"), value: ({ models }) => models },
  { label: t("所属分组"), value: ({ group }) => group },
  { label: t("优先级"), value: ({ priority }) => priority },
  { label: t("权重"), value: ({ weight }) => weight },
  {
    label: t("已用额度"),
    value: ({ used_quota: used, used_quota_missing: isMissing }) => (isMissing === true ? "" : used),
  },
  { label: t("测试时间"), value: ({ test_time: at }) => toIsoTime(at) },
  { label: t("创建时间"), value: ({ created_time: at }) => toIsoTime(at) },
];
