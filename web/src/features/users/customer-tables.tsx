import type { UsageHour } from "@turnpike/contract/api/data";
import type { LedgerEntry } from "@turnpike/contract/api/ledger";
import type { LogEntry } from "@turnpike/contract/api/log";
import type { Token } from "@turnpike/contract/api/token";
import { TOKEN_STATUS } from "@turnpike/contract/codes";
import { Link } from "@tanstack/react-router";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/columns/columns.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { MoneySum } from "../../components/money.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Time } from "../../components/time.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../components/ui/card.tsx";
import { toCallId } from "../../domain/logs/call-id.ts";
import { type FigureFilter, LogLink } from "../../domain/logs/log-link.tsx";
import { translateContent } from "../../domain/logs/log-content.ts";
import { parseLogDetails } from "../../domain/logs/log-details.ts";
import { formatCount } from "../../lib/text/format.ts";

type PanelProps<Row> = {
  readonly title: string;
  readonly empty: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly getRowId: (row: Row) => string;
  readonly action?: ReactNode;
};

/** A titled table of one kind of a customer's facts. */
export function CustomerPanel<Row extends object>({ title, empty, action, ...table }: PanelProps<Row>) {
  return (
    <Card className="min-w-0">
      <CardHeader className="flex flex-row items-center justify-between">
        <CardTitle>
          <h2>{title}</h2>
        </CardTitle>
        {action}
      </CardHeader>
      <CardContent>
        {table.rows.length === 0 ? (
          <p className="py-6 text-center text-[13px] text-muted-foreground">{empty}</p>
        ) : (
          <DataTable label={title} {...table} />
        )}
      </CardContent>
    </Card>
  );
}

/** What a customer spent on a model. */
export type ModelSpend = { readonly model: string; readonly quota: number; readonly count: number };

/** Usage summed by model, the highest spend first. */
export function sumByModel(hours: readonly UsageHour[]): readonly ModelSpend[] {
  const sums = new Map<string, { quota: number; count: number }>();
  for (const { model_name: model, quota, count } of hours) {
    const sum = sums.get(model) ?? { quota: 0, count: 0 };
    sums.set(model, { quota: sum.quota + quota, count: sum.count + count });
  }
  return [...sums].map(([model, sum]) => ({ model, ...sum })).toSorted((a, b) => b.quota - a.quota);
}

type GetFilter<Row> = (row: Row) => FigureFilter;

export const spendColumns = (t: TFunction, getFilter: GetFilter<ModelSpend>): readonly DataColumn<ModelSpend>[] => [
  { id: "model", label: t("模型"), card: "title", className: "font-mono text-xs", cell: (row) => row.model },
  {
    id: "count",
    label: t("调用次数"),
    align: "right",
    card: "fact",
    cell: (row) => <LogLink filter={getFilter(row)}>{formatCount(row.count)}</LogLink>,
  },
  {
    id: "quota",
    label: t("费用"),
    align: "right",
    card: "fact",
    cell: (row) => (
      <LogLink filter={getFilter(row)}>
        <MoneySum quota={row.quota} />
      </LogLink>
    ),
  },
];

function TokenState({ token }: { readonly token: Token }) {
  const { t } = useTranslation();
  const isOn = token.status === TOKEN_STATUS.enabled;
  return (
    <StatusBadge dot tone={isOn ? "good" : "neutral"}>
      {isOn ? t("已启用") : t("已停用")}
    </StatusBadge>
  );
}

export const tokenColumns = (t: TFunction, getFilter: GetFilter<Token>): readonly DataColumn<Token>[] => [
  { id: "name", label: t("名称"), card: "title", cell: (token) => token.name },
  { id: "status", label: t("状态"), card: "badge", cell: (token) => <TokenState token={token} /> },
  {
    id: "used",
    label: t("已用额度"),
    align: "right",
    card: "fact",
    cell: (token) => (
      <LogLink filter={getFilter(token)}>
        <MoneySum quota={token.used_quota} />
      </LogLink>
    ),
  },
  {
    id: "left",
    label: t("剩余额度"),
    align: "right",
    card: "fact",
    cell: (token) => (token.unlimited_quota ? t("不限") : <MoneySum quota={token.remain_quota} />),
  },
];

export const creditColumns = (t: TFunction): readonly DataColumn<LedgerEntry>[] => [
  { id: "time", label: t("时间"), card: "fact", cell: (entry) => <Time seconds={entry.created_at} /> },
  {
    id: "reason",
    label: t("原因"),
    card: "title",
    className: "whitespace-normal",
    cell: (entry) => translateContent(entry.reason, t),
  },
  { id: "amount", label: t("变动"), align: "right", card: "fact", cell: (entry) => <MoneySum quota={entry.amount} /> },
];

export const failureColumns = (t: TFunction): readonly DataColumn<LogEntry>[] => [
  { id: "time", label: t("时间"), card: "fact", cell: (entry) => <Time seconds={entry.created_at} /> },
  {
    id: "status",
    label: t("结果"),
    card: "badge",
    cell: (entry) => <StatusBadge tone="bad">{parseLogDetails(entry).status_code ?? t("错误")}</StatusBadge>,
  },
  {
    id: "reason",
    label: t("原因"),
    card: "title",
    className: "max-w-0 w-full truncate",
    cell: (entry) => (
      <Link
        to="/app/logs/api-usage"
        search={{ request: toCallId(entry) }}
        className="underline-offset-4 hover:underline"
        title={entry.content}
      >
        {entry.content}
      </Link>
    ),
  },
];
