import type { TokenUsage } from "@turnpike/contract/api/token";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns.ts";
import { RowsTable } from "../../components/data-table/rows-table.tsx";
import { Money } from "../../components/money.tsx";
import { formatCount } from "../../lib/format.ts";
import { sortByDay } from "./token-usage.ts";

type Use = TokenUsage["uses"][number];

function usageColumns(t: TFunction): readonly DataColumn<Use>[] {
  const figure = (id: string, label: string, value: (use: Use) => number): DataColumn<Use> => ({
    id,
    label,
    align: "right",
    value,
    cell: (use) => formatCount(value(use)),
  });
  return [
    {
      id: "day",
      label: t("日期"),
      card: "badge",
      className: "tabular-nums",
      value: (use) => use.day,
      cell: (use) => use.day,
    },
    {
      id: "model",
      label: t("模型"),
      card: "title",
      className: "w-full max-w-48 truncate",
      value: (use) => use.model_name,
      cell: (use) => <span title={use.model_name}>{use.model_name}</span>,
    },
    { ...figure("requests", t("请求次数"), (use) => use.request_count), card: "fact" },
    figure("prompt", t("提示 token"), (use) => use.prompt_tokens),
    figure("completion", t("回答 token"), (use) => use.completion_tokens),
    { ...figure("quota", t("花费"), (use) => use.quota), card: "fact", cell: (use) => <Money quota={use.quota} /> },
  ];
}

/** What a token has used by day and model, the newest day first. */
export function UsageTable({ uses }: { readonly uses: TokenUsage["uses"] }) {
  const { t } = useTranslation();
  const columns = useMemo(() => usageColumns(t), [t]);
  const rows = useMemo(() => sortByDay(uses), [uses]);
  return (
    <RowsTable label={t("用量")} columns={columns} rows={rows} getRowId={(use) => `${use.day} ${use.model_name}`} />
  );
}
