import type { AdminMessage } from "@turnpike/contract/api/message";
import type { TFunction } from "i18next";
import type { ExportColumn } from "../../components/data-table/actions/read-all-rows.ts";
import { toIsoTime } from "../../lib/text/format.ts";

/** The columns of the file of messages. */
export const messageExport = (t: TFunction): readonly ExportColumn<AdminMessage>[] => [
  { label: "ID", value: ({ id }) => id },
  { label: t("标题"), value: ({ title }) => title },
  { label: t("内容"), value: ({ content }) => content },
  { label: t("格式"), value: ({ format }) => format },
  { label: t("收件人"), value: ({ stats }) => stats.total_recipients },
  { label: t("已读"), value: ({ stats }) => stats.read_count },
  { label: t("发送时间"), value: ({ created_at: at }) => toIsoTime(at) },
  { label: t("修改时间"), value: ({ updated_at: at }) => toIsoTime(at) },
  { label: t("发送者"), value: ({ created_by: author }) => author },
];
