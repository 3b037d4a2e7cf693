import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { type FigureFilter, LogLink } from "../../../domain/logs/log-link.tsx";
import { formatCount, formatMilliseconds } from "../../../lib/text/format.ts";
import type { HealthPoint } from "./health-series.ts";

type TimeSpan = NonNullable<FigureFilter["span"]>;
type Row = {
  readonly name: string;
  readonly isWhole: boolean;
  readonly point: HealthPoint;
  readonly span: TimeSpan;
};

const NONE = "—";
const formatTime = (ms: number | undefined): string => (ms === undefined ? NONE : formatMilliseconds(ms));
const formatShare = (share: number | undefined): string =>
  share === undefined ? NONE : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 2 : 1)}%`;

function healthColumns(t: TFunction): readonly DataColumn<Row>[] {
  const figure = (id: string, label: string, cell: (point: HealthPoint) => string): DataColumn<Row> => ({
    id,
    label,
    align: "right",
    cell: ({ point }) => cell(point),
  });
  const secondary = { wideOnly: true };
  return [
    { id: "time", label: t("时间"), cell: ({ name }) => name },
    {
      id: "calls",
      label: t("调用次数"),
      align: "right",
      cell: ({ point, span }) => <LogLink filter={{ span }}>{formatCount(point.count)}</LogLink>,
    },
    figure("p50", "p50", ({ halfMs }) => formatTime(halfMs)),
    figure("p95", "p95", ({ lateMs }) => formatTime(lateMs)),
    { ...figure("first-p50", t("首字 p50"), ({ firstHalfMs }) => formatTime(firstHalfMs)), ...secondary },
    { ...figure("first-p95", t("首字 p95"), ({ firstLateMs }) => formatTime(firstLateMs)), ...secondary },
    {
      id: "errors",
      label: t("失败率"),
      align: "right",
      cell: ({ point, span }) => <LogLink filter={{ failed: true, span }}>{formatShare(point.errorShare)}</LogLink>,
      ...secondary,
    },
  ];
}

type HealthTableProps = {
  readonly points: readonly HealthPoint[];
  readonly whole: HealthPoint;
  readonly endSeconds: number;
  readonly label: (seconds: number) => string;
};

/** The chart's values as a table: the whole range, then each part with calls, newest first. */
export function HealthTable({ points, whole, endSeconds, label }: HealthTableProps) {
  const { t } = useTranslation();
  const columns = useMemo(() => healthColumns(t), [t]);
  // Points follow each other without gaps.
  const parts = points.map((point, index): Row => {
    const span = {
      startSeconds: point.startSeconds,
      endSeconds: points[index + 1]?.startSeconds ?? endSeconds,
    };
    return { name: label(point.startSeconds), isWhole: false, point, span };
  });
  const rows: readonly Row[] = [
    { name: t("整段时间"), isWhole: true, point: whole, span: { startSeconds: whole.startSeconds, endSeconds } },
    ...parts.filter(({ point: { count, errors } }) => count + errors > 0).toReversed(),
  ];
  return (
    <DataTable
      label={t("响应速度和失败率的数值")}
      className="max-h-64"
      columns={columns}
      rows={rows}
      getRowId={({ isWhole, point }) => (isWhole ? "whole" : String(point.startSeconds))}
      getRowClassName={({ isWhole }) => (isWhole ? "font-medium" : undefined)}
      cards={false}
    />
  );
}
