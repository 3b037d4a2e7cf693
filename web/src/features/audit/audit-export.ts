import type { AuditEntry } from "@turnpike/contract/api/audit";
import type { TFunction } from "i18next";
import type { ExportColumn } from "../../components/data-table/actions/read-all-rows.ts";
import { toIsoTime } from "../../lib/text/format.ts";

/** The columns of the file of actions, with the raw names that other systems know. */
export const auditExport = (t: TFunction): readonly ExportColumn<AuditEntry>[] => [
  { label: t("时间"), value: ({ created_at: at }) => toIsoTime(at) },
  { label: t("操作者"), value: ({ actor_name: name, actor_id: id }) => `${name} #${id}` },
  { label: t("操作"), value: ({ action }) => action },
  { label: t("对象"), value: ({ target }) => target },
  { label: t("之前"), value: ({ before }) => before },
  { label: t("之后"), value: ({ after }) => after },
  { label: t("来源 IP"), value: ({ address }) => address },
];
