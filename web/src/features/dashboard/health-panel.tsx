import type { Overview } from "@turnpike/contract/api/report";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Card, CardContent } from "../../components/ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { formatCount, formatMilliseconds } from "../../lib/format.ts";
import { text } from "../../lib/i18n-source.ts";
import { ChartActions } from "./chart-actions.tsx";
import type { ChartLine } from "./health-lines.tsx";
import { type HealthPoint, healthSeries } from "./health-series.ts";
import type { Granularity } from "./usage-series.ts";
import { useTimeLabel } from "./use-time-label.ts";

const HealthLines = lazy(async () => ({ default: (await import("./health-lines.tsx")).HealthLines }));

type View = "total" | "first" | "errors";

const VIEWS: readonly { readonly value: View; readonly label: string }[] = [
  { value: "total", label: text("总用时") },
  { value: "first", label: text("首字用时") },
  { value: "errors", label: text("失败率") },
];

const formatShare = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 2 : 1)}%`;
const formatPercent = (percent: number): string => `${Number(percent.toFixed(1))}%`;

type LineSource = Pick<ChartLine, "name" | "label" | "color"> & {
  readonly dashed?: boolean;
  readonly value: (point: HealthPoint) => number | undefined;
};

function getLines(view: View): readonly LineSource[] {
  if (view === "errors") {
    const value = ({ errorShare }: HealthPoint) => (errorShare === undefined ? undefined : errorShare * 100);
    return [{ name: "errors", label: text("失败率"), color: "var(--chart-5)", value }];
  }
  const isFirst = view === "first";
  return [
    {
      name: "half",
      label: text("中位数（p50）"),
      color: "var(--chart-1)",
      value: (point) => (isFirst ? point.firstHalfMs : point.halfMs),
    },
    {
      name: "late",
      label: text("95% 以内（p95）"),
      color: "var(--chart-2)",
      dashed: true,
      value: (point) => (isFirst ? point.firstLateMs : point.lateMs),
    },
  ];
}

/** The figures of the chart, for those who read rather than look: the whole span, then each part with calls, newest first. */
function HealthTable({ points, whole, label }: HealthTableProps) {
  const { t } = useTranslation();
  const time = (ms: number | undefined): string => (ms === undefined ? "—" : formatMilliseconds(ms));
  const rows = [
    { name: t("整段时间"), point: whole },
    ...points
      .filter(({ count, errors }) => count + errors > 0)
      .toReversed()
      .map((point) => ({ name: label(point.startSeconds), point })),
  ];
  const cell = "pl-3 text-right whitespace-nowrap tabular-nums";
  return (
    <div className="max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label={t("响应速度和失败率的数值")}>
      <table className="w-full text-[13px]">
        <thead>
          <tr className="h-8 text-left text-xs text-muted-foreground">
            <th className="font-medium">{t("时间")}</th>
            <th className={`${cell} font-medium`}>{t("调用次数")}</th>
            <th className={`${cell} font-medium`}>p50</th>
            <th className={`${cell} font-medium`}>p95</th>
            <th className={`${cell} font-medium max-sm:hidden`}>{t("首字 p50")}</th>
            <th className={`${cell} font-medium max-sm:hidden`}>{t("首字 p95")}</th>
            <th className={`${cell} font-medium max-sm:hidden`}>{t("失败率")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, point }, index) => (
            <tr key={point.startSeconds + index} className={`h-8 border-t ${index === 0 ? "font-medium" : ""}`}>
              <td className="whitespace-nowrap">{name}</td>
              <td className={cell}>{formatCount(point.count)}</td>
              <td className={cell}>{time(point.halfMs)}</td>
              <td className={cell}>{time(point.lateMs)}</td>
              <td className={`${cell} max-sm:hidden`}>{time(point.firstHalfMs)}</td>
              <td className={`${cell} max-sm:hidden`}>{time(point.firstLateMs)}</td>
              <td className={`${cell} max-sm:hidden`}>
                {point.errorShare === undefined ? "—" : formatShare(point.errorShare)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type HealthTableProps = {
  readonly points: readonly HealthPoint[];
  readonly whole: HealthPoint;
  readonly label: (seconds: number) => string;
};
type HealthPanelProps = {
  readonly overview: Overview;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly by: Granularity;
};

/** How fast the site answered and how often it could not; for admins. */
export function HealthPanel({ overview, startSeconds, endSeconds, by }: HealthPanelProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>("total");
  const label = useTimeLabel(by);
  const { points, whole } = useMemo(
    () => healthSeries(overview.hours, { startSeconds, endSeconds, by }),
    [overview.hours, startSeconds, endSeconds, by],
  );
  const chart = useRef<HTMLDivElement>(null);
  const lines = useMemo(
    () =>
      getLines(view).map(({ value, label: name, ...line }) => ({ ...line, label: t(name), values: points.map(value) })),
    [view, points, t],
  );
  const starts = useMemo(() => points.map(({ startSeconds: start }) => start), [points]);
  const toRows = () => [
    [t("时间"), ...lines.map(({ label: name }) => name)],
    ...starts.map((start, index) => [
      new Date(start * 1000).toISOString(),
      ...lines.map(({ values }) => values[index] ?? ""),
    ]),
  ];
  return (
    <Card>
      <CardContent>
        <Tabs value={view} onValueChange={(value) => setView(value as View)} className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="font-semibold">{t("响应速度和失败率")}</h2>
            <div className="flex flex-wrap items-center gap-2">
              <TabsList aria-label={t("响应速度和失败率")}>
                {VIEWS.map(({ value, label: name }) => (
                  <TabsTrigger key={value} value={value}>
                    {t(name)}
                  </TabsTrigger>
                ))}
              </TabsList>
              <ChartActions name={`health-${view}`} chart={chart} rows={toRows} />
            </div>
          </div>
          <TabsContent value={view} className="flex flex-col gap-4">
            {view === "errors" && !overview.errors_logged && (
              <p className="text-[13px] text-muted-foreground">
                {t("没有开启“记录失败的调用”，看不到失败率。")}{" "}
                <Link to="/admin/settings" search={{ tab: "operation" }} className="text-accent-text hover:underline">
                  {t("前往设置")}
                </Link>
              </p>
            )}
            <div ref={chart}>
              <Suspense fallback={<Skeleton className="h-52 w-full" />}>
                <HealthLines
                  starts={starts}
                  lines={lines}
                  label={label}
                  format={view === "errors" ? formatPercent : formatMilliseconds}
                  description={t("各时间段的折线，数值见下表")}
                />
              </Suspense>
            </div>
            <ul className="flex flex-wrap gap-x-4 text-xs">
              {lines.map(({ name, label: text, color }) => (
                <li key={name} className="flex items-center gap-1.5">
                  <span className="h-0.5 w-4" style={{ background: color }} aria-hidden />
                  {text}
                </li>
              ))}
            </ul>
            <HealthTable points={points} whole={whole} label={label} />
          </TabsContent>
        </Tabs>
      </CardContent>
    </Card>
  );
}
