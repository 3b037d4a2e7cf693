import type { TokenUsage } from "@turnpike/contract/api/token";
import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { Money } from "../../../components/money.tsx";
import { type FigureFilter, LogLink } from "../../../domain/logs/log-link.tsx";
import { formatCount } from "../../../lib/text/format.ts";
import { sortByDay } from "./token-usage.ts";

const DAY_SECONDS = 86_400;

type Use = TokenUsage["uses"][number];

/** The rows of a token's day (UTC) with a model. */
function toFilter({ day, model_name: model }: Use, token: string): FigureFilter {
  const startSeconds = Date.parse(`${day}T00:00:00Z`) / 1000;
  return { token, model, span: { startSeconds, endSeconds: startSeconds + DAY_SECONDS } };
}

function usageColumns(t: TFunction, token: string): readonly DataColumn<Use>[] {
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
    {
      ...figure("requests", t("请求次数"), (use) => use.request_count),
      card: "fact",
      cell: (use) => <LogLink filter={toFilter(use, token)}>{formatCount(use.request_count)}</LogLink>,
    },
    figure("prompt", t("提示 token"), (use) => use.prompt_tokens),
    figure("completion", t("回答 token"), (use) => use.completion_tokens),
    {
      ...figure("quota", t("花费"), (use) => use.quota),
      card: "fact",
      cell: (use) => (
        <LogLink filter={toFilter(use, token)}>
          <Money quota={use.quota} />
        </LogLink>
      ),
    },
  ];
}

/** A token's usage by day and model, newest day first. */
export function UsageTable({ uses, token }: { readonly uses: TokenUsage["uses"]; readonly token: string }) {
  const { t } = useTranslation();
  const columns = useMemo(() => usageColumns(t, token), [t, token]);
  const rows = useMemo(() => sortByDay(uses), [uses]);
  return (
    <DataTable label={t("用量")} columns={columns} rows={rows} getRowId={(use) => `${use.day} ${use.model_name}`} />
  );
}
